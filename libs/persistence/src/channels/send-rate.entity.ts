import { Column, Entity } from 'typeorm';
import { Integration } from './integration.entity';
import { Reference } from '../schema/reference';

/** The last part of the time of an integration with a limit on messages a second that a worker reserved. */
@Entity('send_rate')
export class SendRate {
  @Reference(() => Integration, { primary: true }) integrationId!: string;
  @Column('timestamp with time zone') startsAt!: Date;
  @Column('timestamp with time zone') endsAt!: Date;

  /** The limit that the worker knew. */
  @Column('double precision', { nullable: true }) perSecond!: number | null;

  /** For how long the steps that were released to it keep it busy (`account-waits.sql.ts`). */
  @Column('timestamp with time zone', { nullable: true }) releasedUntil!: Date | null;
}
