import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '@clarion/contracts';
import { TopicRepository } from '@clarion/persistence';

const REMEMBER_MS = 60_000;
const REMEMBERED_TOPICS = 10_000;

/** Of the topics that events name: those that do not exist, and those whose events are bulk. */
export type TopicFacts = { missing: Set<string>; large: Set<string> };

/** Which topics exist and which are large. A known topic is not looked for again for a while. */
@Injectable()
export class TopicDirectory {
  private readonly known = new Map<string, { until: number; isLarge: boolean }>();

  constructor(private readonly topics: TopicRepository) {}

  async find(environmentId: EnvironmentId, keys: Set<string>): Promise<TopicFacts> {
    const now = performance.now();
    const facts: TopicFacts = { missing: new Set(), large: new Set() };
    for (const key of keys) {
      const known = this.known.get(`${environmentId} ${key}`);
      if (!known || known.until <= now) facts.missing.add(key);
      else if (known.isLarge) facts.large.add(key);
    }
    if (facts.missing.size === 0) return facts;
    for (const { key, isLarge } of await this.topics.existing(environmentId, [...facts.missing])) {
      facts.missing.delete(key);
      if (isLarge) facts.large.add(key);
      if (this.known.size >= REMEMBERED_TOPICS) this.known.clear();
      this.known.set(`${environmentId} ${key}`, { until: now + REMEMBER_MS, isLarge });
    }
    return facts;
  }
}
