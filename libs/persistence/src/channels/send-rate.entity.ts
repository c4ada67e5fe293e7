import { Column, Entity } from 'typeorm';
import { Integration } from './integration.entity';
import { Reference } from '../schema/reference';

/** The last part of the time of an integration with a limit on messages a second that a worker reserved. */
@Entity('send_rate')
export class SendRate {
  @Reference(() => Integration, { primary: true }) integrationId!: string;
  @Column('timestamp with time zone') startsAt!: Date;
  @Column('timestamp with time zone') endsAt!: Date;
}
