import type { IntegrationHealth } from '@clarion/contracts/core';
import type { Integration } from '@clarion/persistence';
import { MemorySweep } from './memory-sweep';

/** The rules of the repositories on rows in memory. Each class of the chain has one part of them. */
export class MemoryStore extends MemorySweep {
  listActive(): Integration[] {
    return this.integrations.map((row) => ({ ...row }));
  }

  setHealth(id: string, health: IntegrationHealth | null): void {
    this.integrationStamp += 1;
    this.integrations.find((row) => row.id === id)!.health = health;
  }
}
