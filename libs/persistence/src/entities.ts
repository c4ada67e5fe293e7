import * as tables from './tables';

export * from './tables';

export const ENTITIES = Object.values(tables);
