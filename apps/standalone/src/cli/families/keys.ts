import { isId, KEY_SCOPES, pick } from '@clarion/contracts/core';
import type { ApiKeySummary } from '@clarion/persistence';
import { command, CommandError } from '../command';
import type { Row } from '../output';
import { check, chosenEnvironment, ENVIRONMENT, everyEnvironment, oneOf, ORGANIZATION } from '../selection';

function keyRow(key: ApiKeySummary): Row {
  return {
    ...pick(key, 'id', 'name', 'prefix', 'scope'),
    expires: key.expiresAt?.toISOString() ?? null,
    addresses: key.allowedAddresses?.join(' ') ?? null,
    created: key.createdAt.toISOString(),
    lastUsed: key.lastUsedAt?.toISOString() ?? null,
    revoked: key.revokedAt?.toISOString() ?? null,
  };
}

export const KEYS = [
  command({
    name: 'keys list',
    options: { ...ENVIRONMENT, ...ORGANIZATION },
    async run({ open, output, options }) {
      const tools = await open();
      const { id } = await chosenEnvironment(tools, options);
      output.show((await tools.environments.listKeys(id)).map(keyRow));
    },
  }),
  command({
    name: 'keys create',
    options: {
      ...ENVIRONMENT,
      ...ORGANIZATION,
      name: { value: '<text>' },
      scope: { value: KEY_SCOPES.join('|') },
      expires: { value: '<time>' },
      'allow-address': { value: '<IP or CIDR>', isRepeated: true },
    },
    about: 'prints the API key, once; admin manages all environments of the organization',
    async run({ open, output, options }) {
      const scope = oneOf('scope', options.scope, KEY_SCOPES);
      const { addressesFault, expiryFault } = await import('@clarion/gateway/command-line');
      const { name, expires, 'allow-address': allowedAddresses } = options;
      check('expires', expires, expiryFault);
      check('allow-address', allowedAddresses, addressesFault);
      const expiresAt = expires === undefined ? undefined : new Date(expires);
      const tools = await open();
      const wanted = { name, scope, expiresAt, allowedAddresses };
      const { key, summary } = await (await tools.admin()).createKey(await chosenEnvironment(tools, options), wanted);
      output.show([{ ...keyRow(summary), key }]);
    },
  }),
  command({
    name: 'keys revoke',
    arguments: ['key id'],
    async run({ open, output, arguments: [id] }) {
      if (!isId(id!)) throw new CommandError(`${id} is not the id of a key`);
      const tools = await open();
      const admin = await tools.admin();
      for (const candidate of await everyEnvironment(tools)) {
        if (await admin.revokeKey(candidate, id)) return output.show([{ id, revoked: 'yes' }]);
      }
      throw new CommandError(`There is no key with the id ${id} that could be revoked`);
    },
  }),
  command({
    name: 'keys reseal',
    about: 'put all stored secrets under the first key of CLARION_ENCRYPTION_KEY',
    async run({ open, output, isJson }) {
      const { database, secrets } = await open();
      const { SealedRowRepository } = await import('@clarion/persistence');
      const { describeUnreadable, resealAll } = await import('../../reseal.js');
      const reports = await resealAll(secrets, new SealedRowRepository(database), (line) => output.note(line));
      output.show(isJson ? reports : reports.map(({ unreadableIds: _, ...report }) => report));
      const fault = describeUnreadable(reports);
      if (fault) throw new CommandError(fault);
    },
  }),
];
