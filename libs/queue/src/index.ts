export * from './admission';
export * from './consumer';
export * from './backend';
export * from './jobs';
export * from './producer';
export * from './relay';
export * from './step-offers';
