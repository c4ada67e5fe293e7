import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A partition past the retention that could not be dropped, and why. */
export type RetentionObstacle = { partition: string; reason: string };

/** The only row: how the last maintenance ended. */
@Entity('maintenance')
@Check('maintenance_id_check', 'id = 1')
export class MaintenanceRun {
  @PrimaryColumn('smallint')
  id!: number;

  @Column('timestamp with time zone', { precision: 3 })
  endedAt!: Date;

  /** The partitions past the retention that it could not drop. */
  @Column('jsonb', { default: [] })
  obstacles!: RetentionObstacle[];
}
