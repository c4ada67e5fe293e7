import { type Channel, CHANNEL_NAMES } from './channels';
import { api, unwrap } from './client';
import { providersQuery } from './providers';
import { queries } from './queries';

/** Something that exists and can be picked: its id, and the words for people. */
export type Choice = { value: string; label: string; detail?: string };

/** Finds things of one kind by any part of their name or id; without a text, some of them. */
export type Choices = { kind: string; find(text: string): Promise<Choice[]> };

const limit = 20;
/** More than these are found by typing. */
const SHOWN = 50;

/** Things that are all known, found by any part of their name or id. */
export const choicesOf = (kind: string, list: () => Choice[] | Promise<Choice[]>): Choices => ({
  kind,
  find: async (text) => {
    const asked = text.toLowerCase();
    const fits = ({ value, label }: Choice): boolean => `${value} ${label}`.toLowerCase().includes(asked);
    return (await list()).filter(fits).slice(0, SHOWN);
  },
});

const findWorkflows = async (text: string) => {
  const query = { limit, ...(text && { query: text }) };
  return (await unwrap(api.GET('/v2/workflows', { params: { query } }))).workflows;
};

const findLayouts = async (text: string) => {
  const query = { limit, ...(text && { query: text }) };
  return (await unwrap(api.GET('/v2/layouts', { params: { query } }))).layouts;
};

export const workflowChoices: Choices = {
  kind: 'workflows',
  find: async (text) => (await findWorkflows(text)).map(({ workflowId, name }) => ({ value: workflowId, label: name })),
};

export const layoutChoices: Choices = {
  kind: 'layouts',
  find: async (text) => (await findLayouts(text)).map(({ layoutId, name }) => ({ value: layoutId, label: name })),
};

/** What has translations: the type and the id of a workflow or a layout. */
export const translatedChoices: Choices = {
  kind: 'translated',
  find: async (text) => {
    const [workflows, layouts] = await Promise.all([workflowChoices.find(text), layoutChoices.find(text)]);
    return [
      ...workflows.map(({ value, label }) => ({ value: `workflow ${value}`, label })),
      ...layouts.map(({ value, label }) => ({ value: `layout ${value}`, label: `${label} (layout)` })),
    ];
  },
};

export const subscriberChoices: Choices = {
  kind: 'subscribers',
  find: async (text) => {
    const query = { limit, ...(text && { search: text }) };
    const { data } = await unwrap(api.GET('/v2/subscribers', { params: { query } }));
    return data.map(({ subscriberId, firstName, lastName, email }) => {
      const name = [firstName, lastName].filter(Boolean).join(' ') || email;
      return { value: subscriberId, label: name ? `${name} (${subscriberId})` : subscriberId, detail: email ?? '' };
    });
  },
};

export const topicChoices: Choices = {
  kind: 'topics',
  find: async (text) => {
    const lists = await Promise.all(
      (text ? [{ key: text }, { name: text }] : [{}]).map((query) =>
        unwrap(api.GET('/v2/topics', { params: { query: { ...query, limit } } })),
      ),
    );
    const found = new Map(lists.flatMap(({ data }) => data).map(({ key, name }) => [key, name]));
    return [...found].map(([value, name]) => ({ value, label: name && name !== value ? `${name} (${value})` : value }));
  },
};

export const providerChoices = choicesOf('providers', async () =>
  (await queries.fetchQuery(providersQuery)).map(({ id, displayName }) => ({ value: id, label: displayName })),
);

const NO_CHOICES = choicesOf('none', () => []);

type Row = { _id: string; name: string };
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Rows by their ids. A search compares names, so the row of an id is read; one that was deleted is not found. */
const rowChoices = (kind: string, find: (text: string) => Promise<Row[]>, read: (id: string) => Promise<Row>) => ({
  kind,
  find: async (text: string): Promise<Choice[]> => {
    const rows = UUID.test(text)
      ? await read(text).then(
          (row) => [row],
          () => [],
        )
      : await find(text);
    return rows.map(({ _id, name }) => ({ value: _id, label: name }));
  },
});

export const integrationChoices = choicesOf('integrations', async () =>
  (await unwrap(api.GET('/v1/integrations'))).map(({ _id = '', name, channel }) => ({
    value: _id,
    label: name,
    detail: CHANNEL_NAMES[channel as Channel],
  })),
);

/** What the audit log calls by the id of its row, and people by its name. */
const AUDITED: Partial<Record<string, Choices>> = {
  workflow: rowChoices('workflow rows', findWorkflows, (workflowId) =>
    unwrap(api.GET('/v2/workflows/{workflowId}', { params: { path: { workflowId } } })),
  ),
  layout: rowChoices('layout rows', findLayouts, (layoutId) =>
    unwrap(api.GET('/v2/layouts/{layoutId}', { params: { path: { layoutId } } })),
  ),
  integration: integrationChoices,
  environment: choicesOf('environments', async () =>
    (await unwrap(api.GET('/v1/environments'))).map(({ _id, name }) => ({ value: _id, label: name })),
  ),
  subscriber: subscriberChoices,
};

export const auditedChoices = (resourceType: string | undefined): Choices => AUDITED[resourceType ?? ''] ?? NO_CHOICES;

/** The keys of an environment, and what acts without one. */
export const actorChoices = (environmentId: string): Choices =>
  choicesOf(`actors ${environmentId}`, async () => {
    const params = { path: { environmentId } };
    const keys = await unwrap(api.GET('/v1/environments/{environmentId}/api-keys', { params }));
    return [
      ...keys.map(({ _id, name, prefix }) => ({ value: _id, label: `${name} (${prefix}…)` })),
      { value: 'cli', label: 'Command line (cli)' },
      { value: 'setup', label: 'Setup (setup)' },
    ];
  });
