import type { Candidate } from './integrations';
import { MessageOverrides } from './message-overrides';
import { chatTargets, emailAddresses, phoneNumber, pushTargets, type ReachFacts } from './reach';

const account = (id: string, providerId: string): Candidate => ({
  id,
  identifier: `${id}-identifier`,
  providerId,
  channel: 'chat',
  active: true,
  primary: false,
  priority: 1,
  conditions: [],
});

const factsOf = (more: Partial<ReachFacts<Candidate>>): ReachFacts<Candidate> => ({
  stepId: 's',
  accounts: [account('slack', 'slack'), account('discord', 'discord')],
  overrides: null,
  subscriber: { email: null, phone: null },
  doorways: [],
  contextKeys: null,
  ...more,
});

const overrides = (values: object) =>
  new MessageOverrides(values as never, { stepId: 's', channel: 'email', providerId: 'sendgrid' });

describe('the way to a subscriber', () => {
  describe('by address', () => {
    it('is what is stored, what the trigger puts in its place, and what it adds', () => {
      expect(emailAddresses('a@x.test', overrides({}))).toEqual({ address: 'a@x.test', all: ['a@x.test'] });
      expect(emailAddresses('a@x.test', overrides({ email: { toRecipient: 'b@x.test' } })).all).toEqual(['b@x.test']);
      expect(emailAddresses('a@x.test', overrides({ email: { to: ['a@x.test', 'c@x.test'] } })).all).toEqual([
        'a@x.test',
        'c@x.test',
      ]);
      expect(emailAddresses(null, overrides({ email: { to: 'c@x.test' } }))).toEqual({ all: ['c@x.test'] });
      expect(emailAddresses(null, overrides({}))).toEqual({ all: [] });
      expect(phoneNumber('+1', overrides({ email: { to: '+2' } }))).toBe('+2');
      expect(phoneNumber('+1', overrides({}))).toBe('+1');
      expect(phoneNumber(null, overrides({}))).toBeUndefined();
    });
  });

  describe('by chat', () => {
    const slack = { id: 'c1', integrationId: 'slack', credentials: { webhookUrl: 'https://stored.test' } };

    it('is the webhook of each integration, the one of the trigger before the stored one', () => {
      const { targets, skipped, refusal } = chatTargets(
        factsOf({
          doorways: [slack],
          overrides: { slack: { webhookUrl: 'https://a.test' }, discord: { webhookUrl: 'https://b.test' } },
        }),
      );
      expect(targets.map((target) => [target.account.id, target.webhookUrl, target.doorway?.id])).toEqual([
        ['slack', 'https://a.test', 'c1'],
        ['discord', 'https://b.test', undefined],
      ]);
      expect({ skipped, refusal }).toEqual({ skipped: [], refusal: undefined });
      expect(chatTargets(factsOf({ doorways: [slack] })).targets).toMatchObject([
        { webhookUrl: 'https://stored.test' },
      ]);
    });

    it('is the phone where there is no webhook', () => {
      const accounts = [account('whatsapp', 'whatsapp-business')];
      expect(chatTargets(factsOf({ accounts, subscriber: { email: null, phone: '+1' } })).targets).toMatchObject([
        { phone: '+1' },
      ]);
      expect(chatTargets(factsOf({ accounts })).refusal!.map(({ detail }) => detail)).toEqual([
        'Subscriber is missing a phone number',
        'Some chat channels skipped to send the message',
      ]);
    });

    it('skips what has no webhook, and ends when nothing is left', () => {
      const bare = { integrationId: 'discord', credentials: {} };
      const some = chatTargets(factsOf({ doorways: [slack, bare] }));
      expect(some.targets).toHaveLength(1);
      expect(some.skipped).toEqual([
        {
          status: 'Failed',
          detail: 'Webhook URL for the chat channel is missing',
          raw: { providerId: 'discord', identifier: 'discord-identifier' },
        },
      ]);
      expect(some.refusal).toBeUndefined();
      expect(chatTargets(factsOf({ doorways: [bare] })).refusal).toHaveLength(2);
    });

    it('is none without a channel, or only with one of an integration that may not send', () => {
      const detail = (more: object) => chatTargets(factsOf(more)).refusal!.map((line) => line.detail);
      expect(detail({})).toEqual(['Subscriber does not have a configured channel']);
      expect(detail({ doorways: [{ ...slack, integrationId: 'gone' }] })).toEqual(detail({}));
      expect(detail({ contextKeys: ['team:red'] })).toEqual([
        'Subscriber does not have a configured channel with the given context',
      ]);
    });
  });

  describe('by push', () => {
    const accounts = [account('expo', 'expo'), account('fcm', 'fcm')];
    const expo = { id: 'c1', integrationId: 'expo', credentials: { deviceTokens: ['a', 'b'] } };
    const reach = (more: object) => pushTargets(factsOf({ accounts, ...more }));

    it('is every device, and the tokens of the trigger in their place', () => {
      expect(reach({ doorways: [expo] }).targets).toMatchObject([{ doorway: { id: 'c1' }, tokens: ['a', 'b'] }]);
      const named = { expo: { deviceTokens: ['x', 'x'] }, fcm: { tokens: 'y' } };
      expect(reach({ doorways: [expo], overrides: named }).targets.map(({ tokens }) => tokens)).toEqual([['x'], ['y']]);
    });

    it('ends without a device or without a channel', () => {
      const detail = (more: object) => reach(more).refusal!.map((line) => line.detail);
      expect(detail({})).toEqual(['Subscriber does not have a configured channel']);
      expect(detail({ doorways: [{ ...expo, credentials: {} }] })).toEqual([
        'Subscriber credentials is missing the tokens for sending a push notification message',
        'Some push channels skipped to send the message',
      ]);
      const both = reach({ doorways: [expo, { integrationId: 'fcm', credentials: {} }] });
      expect([both.targets.length, both.skipped.length, both.refusal]).toEqual([1, 1, undefined]);
    });
  });
});
