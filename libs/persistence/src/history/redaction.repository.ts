import type { TriggerId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { RedactionPhase } from '../entities';
import { CHECK, CLEAR_MESSAGES, CLEAR_STEPS, PICK } from './redaction.sql';

/** Triggers that one transaction works on. */
const TRIGGERS_AT_ONCE = 100;

const STATEMENTS: Record<RedactionPhase, string> = {
  waiting: CHECK,
  steps: CLEAR_STEPS,
  messages: CLEAR_MESSAGES,
};

/** Redacts marked payload fields after delivery. Any number of processes may do it; none waits for another. */
export class RedactionRepository extends Repository {
  /** Works on due triggers in bounded transactions. After a crash, the next call goes on from there. */
  async run(isStopping: () => boolean = () => false): Promise<void> {
    while (!isStopping() && (await this.workOff()) > 0);
  }

  private workOff(): Promise<number> {
    return this.database.transaction(async () => {
      const picked = await this.database.query<{ id: TriggerId; phase: RedactionPhase }>(PICK, [TRIGGERS_AT_ONCE]);
      for (const phase of Object.keys(STATEMENTS) as RedactionPhase[]) {
        const ids = picked.filter((row) => row.phase === phase).map(({ id }) => id);
        if (ids.length > 0) await this.database.execute(STATEMENTS[phase], [ids]);
      }
      return picked.length;
    });
  }
}
