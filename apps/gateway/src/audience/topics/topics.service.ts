import { Injectable } from '@nestjs/common';
import {
  type AcknowledgedDto,
  type CreateTopicDto,
  DomainError,
  fieldErrors,
  invalidField,
  isTopicKey,
  LIMITS,
  type ListTopicsQuery,
  type PatchTopicDto,
  type TopicDto,
  type TopicListDto,
  type TopicUsageDto,
} from '@clarion/contracts';
import { type KeyOwner, type Topic, TopicRepository } from '@clarion/persistence';
import { cursorEnvelope, withoutNulls } from '../../edge/http/page';

/** Days of notifications that the usage of a topic shows. */
const USAGE_DAYS = 30;

@Injectable()
export class TopicsService {
  constructor(private readonly topics: TopicRepository) {}

  async create(
    owner: KeyOwner,
    input: CreateTopicDto,
    failIfExists: boolean,
  ): Promise<{ topic: TopicDto; created: boolean }> {
    checkTopicKey('key', input.key);
    if (!failIfExists) {
      const row = await this.topics.upsert(owner.environmentId, input);
      return { topic: toTopicDto(row), created: row.created };
    }
    const inserted = await this.topics.insert(owner.environmentId, input);
    if (inserted) return { topic: toTopicDto(inserted), created: true };
    const existing = await this.topics.find(owner.environmentId, input.key);
    throw new DomainError('conflict', `Topic with key "${input.key}" already exists`, {
      ...(existing && toTopicDto(existing)),
    });
  }

  async retrieve(owner: KeyOwner, key: string): Promise<TopicDto> {
    return toTopicDto(foundTopic(await this.topics.find(owner.environmentId, key), key));
  }

  async patch(owner: KeyOwner, key: string, { name }: PatchTopicDto): Promise<TopicDto> {
    if (name === undefined) return this.retrieve(owner, key);
    return toTopicDto(foundTopic(await this.topics.rename(owner.environmentId, key, name), key));
  }

  async delete(owner: KeyOwner, key: string): Promise<AcknowledgedDto> {
    if (!(await this.topics.delete(owner.environmentId, key))) throw notFound(key);
    return { acknowledged: true };
  }

  async usage(owner: KeyOwner, key: string): Promise<TopicUsageDto> {
    const since = new Date(Date.now() - USAGE_DAYS * 24 * 60 * 60 * 1000);
    const usage = await this.topics.usage(owner.environmentId, key, since);
    if (!usage) throw notFound(key);
    return { ...usage, lastUsedAt: usage.lastUsedAt?.toISOString() ?? null };
  }

  async list(owner: KeyOwner, query: ListTopicsQuery & { offset?: number }): Promise<TopicListDto> {
    const { key, name } = query;
    return cursorEnvelope(await this.topics.list(owner.environmentId, { key, name }, query), toTopicDto);
  }
}

/** Validates the key of a new topic. `field` is the name under which the caller sent it. */
export function checkTopicKey(field: 'key' | 'topicKey', key: string): void {
  if (key.length > LIMITS.topicKey) {
    throw invalidField(field, `${field} must be shorter than or equal to ${LIMITS.topicKey} characters`);
  }
  if (isTopicKey(key)) return;
  const message =
    `Invalid topic key: "${key}". A key holds letters (a-z, A-Z), digits, hyphens, underscores and colons, ` +
    'or is a valid email address.';
  throw new DomainError('bad_request', message, fieldErrors(field, message, key));
}

export function foundTopic(topic: Topic | undefined, key: string): Topic {
  if (!topic) throw notFound(key);
  return topic;
}

const notFound = (key: string): DomainError => new DomainError('not_found', `Topic with key ${key} not found`);

export function toTopicDto(row: Pick<Topic, 'id' | 'key' | 'name' | 'createdAt' | 'updatedAt'>): TopicDto {
  return withoutNulls({
    _id: row.id,
    key: row.key,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });
}
