import { DIALECTS, ENVIRONMENT_KINDS, ENVIRONMENT_TYPES, WITHOUT_INTEGRATION } from '@clarion/contracts/core';
import type { Environment, Organization } from '@clarion/persistence';
import { command, UsageError } from '../command';
import type { Row } from '../output';
import { allOrganizations, chosenEnvironment, chosenOrganization, oneOf, ORGANIZATION } from '../selection';

const organizationRow = ({ id, name, createdAt }: Organization): Row => ({
  id,
  name,
  created: createdAt.toISOString(),
});

const environmentRow = ({
  id,
  name,
  type,
  kind,
  sandboxEmail,
  sandboxPhone,
  withoutIntegration,
  identifier,
  dialect,
}: Environment): Row => ({
  id,
  name,
  type,
  kind,
  redirectedTo: [sandboxEmail, sandboxPhone].filter((address) => address !== null).join(' '),
  withoutIntegration,
  identifier,
  dialect,
});

export const ORGANIZATIONS = [
  command({
    name: 'organizations list',
    async run({ open, output }) {
      output.show((await allOrganizations(await open())).map(organizationRow));
    },
  }),
  command({
    name: 'organizations create',
    arguments: ['name'],
    options: { name: { value: '<name of its first environment>' } },
    about: 'prints its first API key, of the scope admin, once',
    async run({ open, output, options, arguments: [name] }) {
      const tools = await open();
      await allOrganizations(tools);
      const first = { name: options.name ?? 'Development', type: 'dev' as const };
      const { organization, environment, key } = await (await tools.admin()).createOrganization(name!, first);
      output.show([{ ...organizationRow(organization), environment: environment.id, key }]);
      const most = tools.config.CLARION_MAX_ORGANIZATIONS;
      if ((await tools.environments.listOrganizations()).length > most) {
        output.note(`There are more organizations than callers may create (CLARION_MAX_ORGANIZATIONS: ${most}).`);
      }
    },
  }),
];

export const ENVIRONMENTS = [
  command({
    name: 'environments list',
    options: ORGANIZATION,
    async run({ open, output, options }) {
      const tools = await open();
      const { id } = await chosenOrganization(tools, options);
      output.show((await tools.environments.list(id)).map(environmentRow));
    },
  }),
  command({
    name: 'environments create',
    arguments: ['name'],
    options: {
      ...ORGANIZATION,
      type: { value: ENVIRONMENT_TYPES.join('|') },
      kind: { value: ENVIRONMENT_KINDS.join('|') },
      'without-integration': { value: WITHOUT_INTEGRATION.join('|') },
      dialect: { value: DIALECTS.join('|') },
    },
    about: 'prints its API key, once',
    async run({ open, output, options, arguments: [name] }) {
      const type = oneOf('type', options.type, ENVIRONMENT_TYPES);
      const kind = oneOf('kind', options.kind, ENVIRONMENT_KINDS);
      const withoutIntegration = oneOf('without-integration', options['without-integration'], WITHOUT_INTEGRATION);
      const dialect = oneOf('dialect', options.dialect, DIALECTS);
      const tools = await open();
      const { id } = await chosenOrganization(tools, options);
      const admin = await tools.admin();
      const { environment, key } = await admin.createEnvironment(id, {
        name: name!,
        type,
        kind,
        withoutIntegration,
        dialect,
      });
      output.show([{ ...environmentRow(environment), key }]);
      const most = tools.config.CLARION_MAX_ENVIRONMENTS;
      if ((await tools.environments.list(id)).length > most) {
        output.note(`The organization has more environments than keys may create (CLARION_MAX_ENVIRONMENTS: ${most}).`);
      }
    },
  }),
  command({
    name: 'environments delete',
    arguments: ['name or id'],
    options: { ...ORGANIZATION, confirm: { value: '<name>' } },
    about: 'ends its keys at once; its rows are deleted in the background and cannot be brought back',
    async run({ open, output, options, arguments: [environment] }) {
      const tools = await open();
      const found = await chosenEnvironment(tools, { ...options, environment });
      if (options.confirm !== found.name) {
        throw new UsageError(`Nothing was deleted: repeat the name to confirm it, --confirm "${found.name}"`);
      }
      const deletedAt = await (await tools.admin()).deleteEnvironment(found.organizationId, found.id);
      output.show([{ ...environmentRow(found), deleted: deletedAt.toISOString() }]);
    },
  }),
];
