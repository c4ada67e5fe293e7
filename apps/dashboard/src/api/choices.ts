import { api, unwrap } from './client';

/** Something that exists and can be picked: its id, and the words for people. */
export type Choice = { value: string; label: string };

/** Finds things of one kind by any part of their name or id; without a text, some of them. */
export type Choices = { kind: string; find(text: string): Promise<Choice[]> };

const limit = 20;

export const workflowChoices: Choices = {
  kind: 'workflows',
  find: async (text) => {
    const query = { limit, ...(text && { query: text }) };
    const { workflows } = await unwrap(api.GET('/v2/workflows', { params: { query } }));
    return workflows.map(({ workflowId, name }) => ({ value: workflowId, label: name }));
  },
};

export const subscriberChoices: Choices = {
  kind: 'subscribers',
  find: async (text) => {
    const query = { limit, ...(text && { search: text }) };
    const { data } = await unwrap(api.GET('/v2/subscribers', { params: { query } }));
    return data.map(({ subscriberId, firstName, lastName, email }) => {
      const name = [firstName, lastName].filter(Boolean).join(' ') || email;
      return { value: subscriberId, label: name ? `${name} (${subscriberId})` : subscriberId };
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

export const providerChoices: Choices = {
  kind: 'providers',
  find: async (text) => {
    const { data } = await unwrap(api.GET('/v1/providers'));
    return data
      .map(({ id, displayName }) => ({ value: id, label: displayName }))
      .filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(text.toLowerCase()));
  },
};
