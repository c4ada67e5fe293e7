import type { Database } from './database';

/** The statements about one kind of rows. */
export abstract class Repository {
  constructor(protected readonly database: Database) {}
}
