/** The words alone, without the classes that check requests: for code that never sees one, and loads in no time. */
export * from './brands';
export * from './ids';
export * from './json';
export * from './vocabulary';
