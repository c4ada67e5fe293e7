import { Column, ForeignKey } from 'typeorm';

/** A column with the id of a row of another table. When that row is deleted, so is this one. */
export const Reference =
  (table: () => new () => object, options: { nullable?: true; primary?: true } = {}) =>
  (entity: object, property: string): void => {
    ForeignKey(table, { onDelete: 'CASCADE' })(entity, property);
    Column('uuid', options)(entity, property);
  };
