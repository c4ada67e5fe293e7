import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { read, ROOT } from './repository';

/**
 * What the code uses of libraries although they do not document it. After an upgrade that fails here, read the file
 * again before you change this table: its specs may still pass.
 */
const packages = createRequire(join(ROOT, 'package.json'));
const load = (name: string): Record<string, { prototype: object }> => packages(name) as never;
const sourceOf = (file: string): string => readFileSync(packages.resolve(file), 'utf8');
const membersOf = (object: object): Set<string> => {
  const prototype = Object.getPrototypeOf(object) as object | null;
  return new Set([...Object.getOwnPropertyNames(object), ...(prototype ? membersOf(prototype) : [])]);
};
const connectionOfPg = (): object => {
  const { Connection } = load('pg') as unknown as { Connection: new (options: object) => object };
  return new Connection({ stream: new PassThrough() });
};
const clientOfPg = (): object => {
  const { Client } = load('pg') as unknown as { Client: new () => object };
  return new Client();
};

const serverOfWs = (): object => {
  const { WebSocketServer } = load('ws') as unknown as { WebSocketServer: new (options: object) => object };
  return new WebSocketServer({ noServer: true });
};

const TENANT_SCOPE = 'libs/persistence/src/connection/tenant-scope.ts';
const QUEUE = 'libs/queue/src/postgres-connections.ts';
const SOCKETS = 'apps/gateway/src/inbox/realtime/web-socket.ts';
const RUNTIME = 'tools/jest/runtime.cjs';

const USED: [what: string, user: string, members: string[], object: () => object][] = [
  [
    'a query of pg',
    TENANT_SCOPE,
    ['prepare', 'handleDataRow', 'handleCommandComplete', 'requiresPreparation'],
    () => load('pg')['Query']!.prototype,
  ],
  ['a connection of pg', TENANT_SCOPE, ['parsedStatements', 'parse', 'bind', 'execute', 'stream'], connectionOfPg],
  [
    'a client of pg',
    'libs/persistence/src/connection/{data-source,pooler}.ts',
    ['connection', 'processID'],
    clientOfPg,
  ],
  [
    'a connection of BullMQ to Postgres',
    QUEUE,
    ['waitUntilReady', 'getListenClient', 'close', 'on', 'off'],
    () => load('bullmq')['PostgresConnection']!.prototype,
  ],
  [
    'the search for a primary of ioredis',
    'libs/queue/src/redis-connections.ts',
    ['connect', 'disconnect'],
    () => load('ioredis')['SentinelConnector']!.prototype,
  ],
  [
    'a connection of nodemailer',
    'libs/platform/src/egress/smtp-egress.ts',
    ['_onData', '_onResponseTooLarge'],
    () => (load('nodemailer/lib/smtp-connection') as unknown as { prototype: object }).prototype,
  ],
  ['a connection of ws', SOCKETS, ['bufferedAmount', 'terminate', 'on'], () => load('ws')['WebSocket']!.prototype],
  ['the server of ws', SOCKETS, ['options'], serverOfWs],
  [
    'the parameters of a route of Nest',
    'apps/gateway/src/edge/http/unknown-input.ts',
    ['ROUTE_ARGS_METADATA', 'BODY', 'QUERY'],
    () => ({
      ...load('@nestjs/common/constants'),
      ...load('@nestjs/common/enums/route-paramtypes.enum')['RouteParamtypes'],
    }),
  ],
  [
    'the module loader of jest',
    RUNTIME,
    ['requireModule', 'requireModuleOrMock', 'requireInternalModule', 'teardown'],
    () => load('jest-runtime')['default']!.prototype,
  ],
];

describe('what the code uses of the inside of libraries', () => {
  it.each(USED)('is still there: %s, which %s uses', (what, user, members, object) => {
    const there = membersOf(object());
    const missing = members.filter((name) => !there.has(name));
    expect(missing.map((name) => `${what} has no "${name}" any more: read ${user}`)).toEqual([]);
  });

  it('is all that the queue of BullMQ calls of the connection that postgres-connections.ts gives it', () => {
    const backend = sourceOf('bullmq/dist/cjs/postgres/postgres-queue-backend.js');
    const called = new Set([...backend.matchAll(/\bthis\.connection\.(\w+)/g)].map(([, name]) => name!));
    // Only for a worker with a name and for QueueEvents, of which there is none.
    called.delete('setListenClientName');
    const given = read(QUEUE).slice(read(QUEUE).indexOf('class ConnectionUser'));
    expect([...called].filter((name) => name !== 'on' && !new RegExp(`\\b${name}\\b`).test(given))).toEqual([]);
  });

  it('is where the module loader of jest keeps the modules of a spec', () => {
    const source = sourceOf('jest-runtime');
    expect(source).toMatch(/getActiveCjsRegistry\(\) \{\s+return .*this\.moduleRegistry;/);
    expect(source).toMatch(/getInternalCjsRegistry\(\) \{\s+return this\.internalModuleRegistry;/);
    expect(source).toMatch(/this\.testState\.isTornDown\(\)/);
  });

  it('is where the environment of jest keeps what was deleted from the global object', () => {
    expect(sourceOf('jest-environment-node')).toMatch(/_globalProxy = new GlobalProxy\(\)/);
    expect(sourceOf('jest-environment-node')).toMatch(/this\.leftovers = \[\];/);
  });
});
