import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The promise "one effect per event of a provider". */
@Entity('delivery_event')
@Index('delivery_event_created_idx', ['createdAt'])
export class DeliveryEventRecord {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'delivery_event_pkey' })
  integrationId!: string;

  /** The provider's own. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'delivery_event_pkey' })
  eventId!: string;

  @Column('uuid')
  environmentId!: string;

  /** The message that it was written to; null while none is known. */
  @Column('uuid', { nullable: true })
  messageId!: string | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
