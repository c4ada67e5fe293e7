import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Integration } from './integration.entity';

/** The last part of the time of an integration with a limit on messages a second that a worker reserved. */
@Entity('send_rate')
export class SendRate {
  @ForeignKey(() => Integration, { name: 'send_rate_integration_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'send_rate_pkey' })
  integrationId!: string;

  @Column('timestamp with time zone') startsAt!: Date;
  @Column('timestamp with time zone') endsAt!: Date;
}
