import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { BulkActionKind, BulkActionState, EnvironmentId, NotificationId } from '@clarion/contracts/core';
import type { ReplayThrough } from '../work/work.entity';
import { EnvironmentRow } from '../tenancy/environment-row';

/** A replay or a cancellation of a frozen set of items. */
@Entity('bulk_action')
@Index('bulk_action_list_idx', ['environmentId', 'id'])
@Index('bulk_action_running_idx', ['nextAt'], { where: "state = 'running'" })
@Index('bulk_action_created_idx', ['createdAt'])
export class BulkAction extends EnvironmentRow {
  @Column('text') action!: BulkActionKind;
  @Column('text', { default: 'planned' }) state!: BulkActionState;

  /** Notifications that the caller named. */
  @Column('integer') selected!: number;

  /** Items. */
  @Column('integer') count!: number;

  /** Notifications of the items. */
  @Column('integer') notifications!: number;

  /** Items of which a message may have reached its provider. */
  @Column('integer') mayBeDuplicates!: number;

  /** The notifications of the first of those. */
  @Column('uuid', { array: true, default: () => "'{}'" }) duplicateSample!: NotificationId[];

  /** More items matched than one action may have. */
  @Column('boolean', { default: false }) hasMore!: boolean;
  @Column('integer') perSecond!: number;
  @Column('integer', { default: 0 }) done!: number;
  @Column('integer', { default: 0 }) unchanged!: number;
  @Column('integer', { default: 0 }) failed!: number;

  /** The last item that was worked off. */
  @Column('uuid', { nullable: true }) cursorId!: string | null;

  /** When the next batch is due, while it runs. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) nextAt!: Date | null;

  /** Batches that failed: each makes the next one smaller and later, each that succeeds takes one back. */
  @Column('smallint', { default: 0 }) failures!: number;

  /** Why the last of them failed; null without failures. */
  @Column('text', { nullable: true }) lastError!: string | null;

  /** Of a replay: steps of this channel are sent through this integration only. */
  @Column('jsonb', { nullable: true }) through!: ReplayThrough | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) startedAt!: Date | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) endedAt!: Date | null;
}

/** One item of a frozen set: a step of a replay, or a notification of a cancellation. */
@Entity('bulk_action_item')
export class BulkActionItem {
  @ForeignKey(() => BulkAction, { name: 'bulk_action_item_action_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  bulkActionId!: string;

  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;

  /** When the step had ended as the set was frozen: a step with another time has run since then. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) endedAt!: Date | null;

  /** Empty until the item is worked off: `done`, `failed`, or the reason why it was left unchanged. */
  @Column('text', { nullable: true }) outcome!: string | null;
}
