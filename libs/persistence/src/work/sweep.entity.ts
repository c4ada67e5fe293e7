import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The only row: what the sweepers of all engines share. */
@Entity('sweep')
@Check('sweep_id_check', 'id = 1')
export class Sweep {
  @PrimaryColumn('smallint') id!: number;

  @Column('timestamp with time zone', { precision: 3 }) sweptAt!: Date;

  /** No lapsed claim is ended before: the database was away, and the holders of claims could not renew them. */
  @Column('timestamp with time zone', { precision: 3 }) graceUntil!: Date;
}
