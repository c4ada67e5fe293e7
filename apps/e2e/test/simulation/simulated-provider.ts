import type { Account } from '@clarion/delivery';
import type { SendResult } from '@clarion/providers';
import { isCalm, type SimulationContext } from './context';
import { type Process, PROVIDER } from './process';

/** `unknown-outcome` is listed twice, so that it is picked more often. */
const FAILURES: SendResult[] = [
  { ok: false, kind: 'transient', message: 'busy' },
  { ok: false, kind: 'transient', message: 'too many', retryAfterMs: 5_000 },
  { ok: false, kind: 'unknown-outcome', message: 'no answer' },
  { ok: false, kind: 'unknown-outcome', message: 'no answer' },
  { ok: false, kind: 'permanent', message: 'no such number' },
  { ok: false, kind: 'credentials', message: 'wrong password' },
];

/** The providers of all accounts, with their idempotency keys. */
export class SimulatedProvider {
  private readonly keysSeen = new Set<string>();

  constructor(private readonly context: SimulationContext) {}

  /** Never rejects, like the real providers. A lost connection is an unknown outcome. */
  async send(process: Process, stepId: string, messageId: string, account: Account): Promise<SendResult> {
    const { world, witness, scenario } = this.context;
    const { random } = world;
    const failing = !isCalm(this.context) && random.chance(scenario.provider.fail);
    const result: SendResult = failing ? random.pick(FAILURES) : { ok: true, id: messageId };
    const arrives = result.ok || (result.kind === 'unknown-outcome' && random.chance(0.5));
    const tookMs = random.between(10, random.chance(0.1) ? 14_000 : 400);
    const deliver = (): SendResult => {
      const key = `${account.id} ${messageId}`;
      const delivered = arrives && !(scenario.provider.idempotent && this.keysSeen.has(key));
      if (arrives) this.keysSeen.add(key);
      witness.sent({ stepId, messageId, account: account.id, at: world.now, delivered });
      world.log(() => `${process.name} ${account.id} ${messageId}: ${result.ok ? 'ok' : result.message}`);
      return result;
    };
    return process
      .call(PROVIDER, deliver, tookMs)
      .catch((error: Error): SendResult => ({ ok: false, kind: 'unknown-outcome', message: error.message }));
  }
}
