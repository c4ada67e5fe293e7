import { randomBytes } from 'node:crypto';
import { Pool as HttpPool } from 'undici';
import type { Pool } from 'pg';
import { newId } from '@clarion/contracts';
import { type Figure, median, progress } from './report';
import { openPool, type Scene, type Stage } from './stage';

const EVENTS = 100;
const CALLERS = 8;

export type AcceptOptions = { rounds: number; roundSeconds: number; soakSeconds: number; goal: number };

/**
 * The rate of accepted bulk triggers, relative to a bare multi-row INSERT of the same rows with the same number of
 * connections, in alternating rounds of one run.
 */
export async function accept(stage: Stage, options: AcceptOptions): Promise<Figure[]> {
  const scene = await stage.open('accept');
  const http = new HttpPool(scene.url, { connections: CALLERS });
  const sql = openPool(scene, CALLERS);
  const workflowId = await createWorkflow(scene);
  try {
    await forSeconds(options.roundSeconds, () => callBulk(http, scene));
    const ratios: number[] = [];
    let shown = '';
    for (let round = 1; round <= options.rounds; round += 1) {
      const raw = await forSeconds(options.roundSeconds, () => insertRaw(sql, scene, workflowId));
      const accepted = await forSeconds(options.roundSeconds, () => callBulk(http, scene));
      ratios.push(accepted / raw);
      shown = `${Math.round(accepted)} accepted/s against ${Math.round(raw)} inserted/s`;
      progress(`accept: round ${round} of ${options.rounds}: ${shown}, ${(accepted / raw).toFixed(2)} x`);
    }
    const figures: Figure[] = [
      {
        what: `bulk trigger, ${EVENTS} events a call, to a bare INSERT of the same rows`,
        measured: `${median(ratios).toFixed(2)} x (${shown})`,
        goal: `>= ${options.goal.toFixed(2)} x`,
        reached: median(ratios) >= options.goal,
      },
    ];
    if (options.soakSeconds > 0) figures.push(await soak(http, scene, options.soakSeconds));
    return figures;
  } finally {
    await http.close();
    await sql.end();
  }
}

/** Compares the gateway's memory after the first third of a minute of load with the memory at the end. */
async function soak(http: HttpPool, scene: Scene, seconds: number): Promise<Figure> {
  const samples: number[] = [];
  for (let slice = 0; slice < 12; slice += 1) {
    await forSeconds(seconds / 12, () => callBulk(http, scene));
    samples.push(scene.gatewayMemory());
    progress(
      `accept: memory after ${Math.round(((slice + 1) * seconds) / 12)} s of load: ${samples.at(-1)!.toFixed(0)} MiB`,
    );
  }
  const [early, late] = [median(samples.slice(2, 6)), median(samples.slice(8))];
  return {
    what: `gateway memory over ${seconds} s of it`,
    measured: `${early.toFixed(0)} -> ${late.toFixed(0)} MiB (${(late / early).toFixed(2)} x)`,
    goal: '<= 1.15 x',
    reached: late / early <= 1.15,
  };
}

async function createWorkflow(scene: Scene): Promise<string> {
  const response = await fetch(`${scene.url}/v2/workflows`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${scene.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Bench',
      workflowId: 'bench',
      steps: [{ name: 'In-app', type: 'in_app', controlValues: { body: 'Hello {{payload.name}}' } }],
    }),
  });
  if (response.status !== 201)
    throw new Error(`the workflow was not created: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { _id: string })._id;
}

const payload = (index: number) => ({
  name: `Customer ${index}`,
  order: { id: index, total: 12.5, items: ['book', 'pen'] },
  link: 'https://example.com/orders',
});
const recipient = (index: number) => ({
  subscriberId: `user-${index}`,
  email: `user${index}@example.com`,
  firstName: 'Ada',
});

/** Created once: the load generator shares the machine with the system under test. */
const BODY = JSON.stringify({
  events: Array.from({ length: EVENTS }, (_, index) => ({
    name: 'bench',
    to: [recipient(index)],
    payload: payload(index),
  })),
});

async function callBulk(http: HttpPool, scene: Scene): Promise<number> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path: '/v1/events/trigger/bulk',
    headers: { authorization: `ApiKey ${scene.key}`, 'content-type': 'application/json' },
    body: BODY,
  });
  const processed = (await body.text()).split('"status":"processed"').length - 1;
  if (statusCode !== 201 || processed !== EVENTS)
    throw new Error(`a call was refused: ${statusCode}, ${processed} processed`);
  return EVENTS;
}

async function insertRaw(sql: Pool, scene: Scene, workflowId: string): Promise<number> {
  const values: unknown[] = [];
  const open: string[] = [];
  const triggers: string[] = [];
  for (let index = 0; index < EVENTS; index += 1) {
    const id = newId();
    const at =
      values.push(
        id,
        `txn_${id}`,
        randomBytes(32),
        JSON.stringify([recipient(index)]),
        JSON.stringify(payload(index)),
      ) - 4;
    open.push(`($${at}::uuid, '${scene.environment.id}'::uuid, $${at}::uuid, now(), 'trigger')`);
    triggers.push(
      `($${at}, '${scene.environment.id}', $${at + 1}, $${at + 2}, '${workflowId}', 1, $${at + 3}, $${at + 4})`,
    );
  }
  await sql.query(
    `WITH opened AS (
       INSERT INTO work (id, environment_id, trigger_id, offered_at, type) VALUES ${open.join()}
     )
     INSERT INTO trigger (id, environment_id, transaction_id, fingerprint, workflow_id, workflow_version, recipients,
                          payload)
     VALUES ${triggers.join()}`,
    values,
  );
  return EVENTS;
}

/** Rows per second with as many callers as connections. */
async function forSeconds(seconds: number, call: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let rows = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const done = await call();
      rows += done;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return rows / ((performance.now() - start) / 1000);
}
