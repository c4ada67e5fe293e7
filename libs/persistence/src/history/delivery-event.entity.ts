import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';

/** The promise "one effect per event of a provider". */
@Entity('delivery_event')
@Index('delivery_event_created_idx', ['createdAt'])
export class DeliveryEventRecord {
  @PrimaryColumn('uuid') integrationId!: string;

  /** The provider's own. */
  @PrimaryColumn('text') eventId!: string;
  @Column('uuid') environmentId!: EnvironmentId;

  /** The message that it was written to; null while none is known. */
  @Column('uuid', { nullable: true }) messageId!: string | null;

  /** Of a signature that does not cover the body: the report that it came with first. Such a row is no event. */
  @Column('text', { nullable: true }) reportHash!: string | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
