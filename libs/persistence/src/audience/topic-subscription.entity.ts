import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, SubscriberRowId, SubscriptionPreferences } from '@clarion/contracts/core';
import { Topic } from './topic.entity';
import { Subscriber } from './subscriber.entity';
import { Reference } from '../schema/reference';

/** Membership of one subscriber in one topic. */
@Entity('topic_subscription')
@Unique('topic_subscription_key', ['topicId', 'identifier'])
@Index('topic_subscription_member_idx', ['topicId', 'subscriberId'])
@Index('topic_subscription_list_idx', ['topicId', 'id'])
@Index('topic_subscription_created_idx', ['topicId', 'createdAt', 'id'])
@Index('topic_subscription_subscriber_idx', ['subscriberId', 'topicId'])
export class TopicSubscription {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @Reference(() => Topic) topicId!: string;
  @Reference(() => Subscriber) subscriberId!: SubscriberRowId;
  @Column('text') identifier!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text', { array: true, default: () => "'{}'" }) contextKeys!: string[];
  @Column('jsonb', { nullable: true }) preferences!: SubscriptionPreferences | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
