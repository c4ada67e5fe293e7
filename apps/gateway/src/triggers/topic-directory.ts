import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '@clarion/contracts';
import { TopicRepository } from '@clarion/persistence';

const REMEMBER_MS = 60_000;
const REMEMBERED_TOPICS = 10_000;

/**
 * Which topics exist, for the notes of trigger results. A topic that was found is not looked for again for a while, so
 * that events for it cost no statement.
 */
@Injectable()
export class TopicDirectory {
  /** Until when a topic is taken to exist. */
  private readonly known = new Map<string, number>();

  constructor(private readonly topics: TopicRepository) {}

  /** Those of the keys that have no topic. */
  async missing(environmentId: EnvironmentId, keys: Set<string>): Promise<Set<string>> {
    const now = performance.now();
    const asked = new Set([...keys].filter((key) => !((this.known.get(`${environmentId} ${key}`) ?? 0) > now)));
    if (asked.size === 0) return asked;
    for (const key of await this.topics.existing(environmentId, [...asked])) {
      asked.delete(key);
      if (this.known.size >= REMEMBERED_TOPICS) this.known.clear();
      this.known.set(`${environmentId} ${key}`, now + REMEMBER_MS);
    }
    return asked;
  }
}
