import { Foundation1700000000000 } from './1700000000000-foundation';

/** In order; a new migration is a new file and a new line here. */
export const MIGRATIONS = [Foundation1700000000000];
