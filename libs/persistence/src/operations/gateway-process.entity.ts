import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A gateway that runs now, and the events a second that it was asked for, by environment with a limit. */
@Entity('gateway_process')
export class GatewayProcess {
  @PrimaryColumn('uuid') id!: string;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) seenAt!: Date;
  @Column('jsonb') eventsPerSecond!: Record<string, number>;
}
