import type { Candidate } from './integrations';
import { MessageOverrides } from './message-overrides';
import {
  chatTargets,
  emailReach,
  pushTargets,
  type ReachFacts,
  readChannelEndpoint,
  smsReach,
  suppressibleAddresses,
} from './reach';
import { NO_SUPPRESSIONS, type Suppressed } from './suppression';

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
  payload: {},
  subscriber: { email: null, phone: null },
  endpoints: [],
  contextKeys: null,
  suppressed: NO_SUPPRESSIONS,
  ...more,
});

const overrides = (values: object) =>
  new MessageOverrides(values as never, { stepId: 's', channel: 'email', providerId: 'sendgrid' });

describe('addresses of a subscriber', () => {
  describe('email and SMS', () => {
    const BOUNCED: Suppressed = new Map([
      ['a@x.test', { reason: 'bounce', since: new Date('2026-01-01') }],
      ['+15551234', { reason: 'manual', since: new Date('2026-01-02') }],
    ]);
    const email = (own: string | null, values: object = {}, suppressed = NO_SUPPRESSIONS) =>
      emailReach(own, overrides({ email: values }), suppressed);
    const sms = (own: string | null, values: object = {}, suppressed = NO_SUPPRESSIONS) =>
      smsReach(own, overrides({ email: values }), suppressed);

    it('uses the stored address, or the address of the trigger, and its additional recipients', () => {
      expect(email('a@x.test')).toEqual({ address: 'a@x.test', to: ['a@x.test'], cc: [], bcc: [], skipped: [] });
      expect(email('a@x.test', { toRecipient: 'b@x.test' }).to).toEqual(['b@x.test']);
      expect(email('a@x.test', { to: ['a@x.test', 'c@x.test'] }).to).toEqual(['a@x.test', 'c@x.test']);
      expect(email(null, { to: 'c@x.test', cc: 'd@x.test', bcc: ['e@x.test'] })).toEqual({
        to: ['c@x.test'],
        cc: ['d@x.test'],
        bcc: ['e@x.test'],
        skipped: [],
      });
      expect(email(null)).toMatchObject({
        to: [],
        refusal: { line: { status: 'Failed', detail: 'Subscriber missing email address' } },
      });
      expect(sms('+1', { to: '+2' })).toEqual({ phone: '+2' });
      expect(sms('+1')).toEqual({ phone: '+1' });
      expect(sms(null).refusal).toMatchObject({ errorId: 'no_subscriber_phone' });
    });

    it('refuses the step when the only address is suppressed in any spelling', () => {
      const since = '2026-01-01T00:00:00.000Z';
      const liftWith = 'DELETE /v1/suppressions/email/a%40x.test';
      for (const own of ['a@x.test', ' A@X.test', 'Ann <a@x.test>']) {
        expect(email(own, {}, BOUNCED)).toMatchObject({
          address: own,
          to: [],
          refusal: {
            errorId: 'recipient_suppressed',
            errorText: 'Recipient is suppressed',
            line: {
              status: 'Failed',
              detail: 'Recipient is suppressed',
              raw: { recipients: [{ address: 'a@x.test', reason: 'bounce', since, liftWith }] },
            },
          },
        });
      }
      expect(email('b@x.test', { toRecipient: 'a@x.test' }, BOUNCED).refusal).toBeDefined();
      expect(email('a@x.test', { toRecipient: 'b@x.test' }, BOUNCED)).toMatchObject({ to: ['b@x.test'], skipped: [] });
      expect(sms('+1 (555) 12-34', {}, BOUNCED).refusal).toMatchObject({ errorId: 'recipient_suppressed' });
      expect(sms('+1', { to: '001 555 1234' }, BOUNCED).refusal).toBeDefined();
      expect(sms('+15551235', {}, BOUNCED)).toEqual({ phone: '+15551235' });
    });

    it('leaves suppressed recipients out and records them', () => {
      const found = email('b@x.test', { to: 'a@x.test', cc: ['A@x.test', 'c@x.test'], bcc: 'a@x.test' }, BOUNCED);
      expect(found).toMatchObject({ to: ['b@x.test'], cc: ['c@x.test'], bcc: [] });
      expect(found.refusal).toBeUndefined();
      expect(found.skipped).toMatchObject([
        {
          status: 'Warning',
          detail: 'Recipient is suppressed',
          raw: { recipients: [{ address: 'a@x.test', reason: 'bounce' }] },
        },
      ]);
    });

    it('does not send an email that has only copies', () => {
      expect(email('a@x.test', { cc: 'c@x.test' }, BOUNCED).refusal).toBeDefined();
    });

    it('lists every address that any account may send to', () => {
      const accounts = [account('one', 'sendgrid'), account('two', 'resend'), account('three', 'whatsapp-business')];
      const facts = {
        stepId: 's',
        accounts,
        subscriber: { email: 'A@x.test', phone: '+1 2' },
        overrides: {
          email: { cc: ['c@x.test'] },
          resend: { toRecipient: 'B@x.test', bcc: 'nobody' },
          sms: { to: '3' },
        },
        endpoints: [
          {
            integrationId: 'three',
            credentials: {},
            channel: { identifier: 'e', contextKeys: [], phone: '+45' },
          },
        ],
      };
      expect(suppressibleAddresses('email', facts)).toEqual(['a@x.test', 'c@x.test', 'b@x.test']);
      expect(suppressibleAddresses('sms', facts)).toEqual(['+3']);
      expect(suppressibleAddresses('chat', facts)).toEqual(['+12', '+45']);
      expect(suppressibleAddresses('chat', { ...facts, accounts: accounts.slice(0, 2) })).toEqual([]);
      expect(suppressibleAddresses('push', facts)).toEqual([]);
    });
  });

  describe('chat', () => {
    it('uses the channel endpoints whose contexts are exactly those of the notification', () => {
      const endpoint = (id: string, contextKeys: string[]) => ({
        id,
        integrationId: 'slack',
        ...readChannelEndpoint(
          { identifier: id, type: 'slack_user', contextKeys, connection: null },
          { userId: `user of ${id}` },
        ),
      });
      const endpoints = [endpoint('none', []), endpoint('red', ['team:red']), endpoint('both', ['a:b', 'team:red'])];
      const reached = (contextKeys: string[] | null) =>
        chatTargets(factsOf({ endpoints, contextKeys })).targets.map((target) => target.endpoint!.channel!.address);
      expect(reached(null)).toEqual([{ type: 'slack_user', userId: 'user of none' }]);
      expect(reached(['team:red'])).toMatchObject([{ userId: 'user of red' }]);
      expect(reached(['a:b', 'team:red'])).toMatchObject([{ userId: 'user of both' }]);
      expect(chatTargets(factsOf({ endpoints, contextKeys: ['other:x'] })).refusal).toBeDefined();
    });

    it('reads webhooks and phone numbers of channel endpoints as the usual addresses', () => {
      const common = { identifier: 'e', contextKeys: [], connection: null };
      expect(readChannelEndpoint({ ...common, type: 'webhook' }, { url: 'https://a.test', channel: '#a' })).toEqual({
        credentials: { webhookUrl: 'https://a.test', channel: '#a' },
        channel: { identifier: 'e', contextKeys: [] },
      });
      const accounts = [account('whatsapp', 'whatsapp-business')];
      const phone = readChannelEndpoint({ ...common, type: 'phone' }, { phoneNumber: '+15551234567' });
      const endpoints = [{ id: 'e', integrationId: 'whatsapp', ...phone }];
      expect(chatTargets(factsOf({ accounts, endpoints })).targets).toMatchObject([{ phone: '+15551234567' }]);
    });

    const slack = { id: 'c1', integrationId: 'slack', credentials: { webhookUrl: 'https://stored.test' } };

    it('prefers the webhook of the trigger to the stored webhook of an integration', () => {
      const { targets, skipped, refusal } = chatTargets(
        factsOf({
          endpoints: [slack],
          overrides: { slack: { webhookUrl: 'https://a.test' }, discord: { webhookUrl: 'https://b.test' } },
        }),
      );
      expect(targets.map((target) => [target.account.id, target.webhookUrl, target.endpoint?.id])).toEqual([
        ['slack', 'https://a.test', 'c1'],
        ['discord', 'https://b.test', undefined],
      ]);
      expect({ skipped, refusal }).toEqual({ skipped: [], refusal: undefined });
      expect(chatTargets(factsOf({ endpoints: [slack] })).targets).toMatchObject([
        { webhookUrl: 'https://stored.test' },
      ]);
    });

    it('sends to one webhook once, through the first of several integrations of a provider', () => {
      const accounts = [account('one', 'slack'), account('two', 'slack'), account('discord', 'discord')];
      const webhook = { webhookUrl: 'https://a.test' };
      const { targets, skipped } = chatTargets(factsOf({ accounts, overrides: { slack: webhook, discord: webhook } }));
      expect(targets.map((target) => target.account.id)).toEqual(['one', 'discord']);
      expect(skipped).toEqual([]);
      const room = (integrationId: string, channel: string) => ({
        integrationId,
        credentials: { ...webhook, channel },
      });
      const endpoints = [room('one', '#a'), room('one', '#b'), room('two', '#b')];
      expect(chatTargets(factsOf({ accounts, endpoints })).targets).toHaveLength(2);
    });

    it('warns of a provider without a phone number, and of an ignored demo channel, when another is reached', () => {
      const accounts = [account('slack', 'slack'), account('whatsapp', 'whatsapp-business')];
      const ignoredDemos = ['platform-slack'];
      const reached = chatTargets(factsOf({ accounts, endpoints: [slack], ignoredDemos }));
      expect(reached.targets).toHaveLength(1);
      expect(reached.skipped.map(({ status, detail }) => [status, detail])).toEqual([
        ['Warning', 'Chat channel of the demo provider was not used, because another integration sends'],
        ['Warning', 'Subscriber is missing a phone number'],
      ]);
      const none = chatTargets(factsOf({ ignoredDemos }));
      expect(none.refusal).toMatchObject([{ raw: { providerId: 'platform-slack' } }, {}]);
    });

    it('uses the webhook of the payload only in place of a stored one', () => {
      const webhookFor = (providerId: string, webhookUrl: unknown, more = {}) =>
        chatTargets(
          factsOf({
            accounts: [account('slack', providerId)],
            endpoints: [slack],
            payload: { webhookUrl } as never,
            ...more,
          }),
        ).targets.map((target) => target.webhookUrl);
      const payload = 'https://payload.test';
      expect(webhookFor('slack', payload)).toEqual([payload]);
      expect(webhookFor('slack', payload, { overrides: { slack: { webhookUrl: 'https://a.test' } } })).toEqual([
        'https://a.test',
      ]);
      expect(webhookFor('slack', payload, { endpoints: [] })).toEqual([]);
      for (const other of ['payload.test', 'ftp://payload.test', 'https://', 7, null]) {
        expect(webhookFor('slack', other)).toEqual(['https://stored.test']);
      }
      // They would be shown a key of the integration.
      expect(webhookFor('rocket-chat', payload)).toEqual(['https://stored.test']);
      expect(webhookFor('getstream', payload)).toEqual(['https://stored.test']);
    });

    it('uses the phone number for a provider without webhooks', () => {
      const accounts = [account('whatsapp', 'whatsapp-business')];
      expect(chatTargets(factsOf({ accounts, subscriber: { email: null, phone: '+1' } })).targets).toMatchObject([
        { phone: '+1' },
      ]);
      expect(chatTargets(factsOf({ accounts })).refusal!.map(({ detail }) => detail)).toEqual([
        'Subscriber is missing a phone number',
        'Some chat channels skipped to send the message',
      ]);
    });

    it('does not use a suppressed phone number', () => {
      const suppressed: Suppressed = new Map([['+12', { reason: 'manual', since: new Date(0) }]]);
      const facts = { accounts: [account('wa', 'whatsapp-business')], suppressed };
      const { targets, skipped, refusal } = chatTargets(
        factsOf({ ...facts, subscriber: { email: null, phone: '+1 2' } }),
      );
      expect(targets).toEqual([]);
      expect(skipped).toMatchObject([{ status: 'Failed', detail: 'Recipient is suppressed' }]);
      expect(refusal).toHaveLength(2);
      expect(chatTargets(factsOf({ ...facts, subscriber: { email: null, phone: '+13' } })).targets).toHaveLength(1);
    });

    it('always reaches the demo provider', () => {
      const accounts = [account('demo', 'platform-slack')];
      expect(chatTargets(factsOf({ accounts }))).toMatchObject({
        targets: [{ account: { id: 'demo' } }],
        skipped: [],
      });
      const bare = { id: 'c1', integrationId: 'demo', credentials: {} };
      expect(chatTargets(factsOf({ accounts, endpoints: [bare] })).targets).toMatchObject([{ endpoint: { id: 'c1' } }]);
    });

    it('skips channels without a webhook and refuses the step when none is left', () => {
      const bare = { integrationId: 'discord', credentials: {} };
      const some = chatTargets(factsOf({ endpoints: [slack, bare] }));
      expect(some.targets).toHaveLength(1);
      expect(some.skipped).toEqual([
        {
          status: 'Warning',
          detail: 'Webhook URL for the chat channel is missing',
          raw: { providerId: 'discord', identifier: 'discord-identifier' },
        },
      ]);
      expect(some.refusal).toBeUndefined();
      expect(chatTargets(factsOf({ endpoints: [bare] })).refusal).toHaveLength(2);
    });

    it('returns no endpoint when every channel belongs to an inactive integration', () => {
      const detail = (more: object) => chatTargets(factsOf(more)).refusal!.map((line) => line.detail);
      expect(detail({})).toEqual(['Subscriber does not have a configured channel']);
      expect(detail({ endpoints: [{ ...slack, integrationId: 'gone' }] })).toEqual(detail({}));
      expect(detail({ contextKeys: ['team:red'] })).toEqual([
        'Subscriber does not have a configured channel with the given context',
      ]);
    });
  });

  describe('push', () => {
    const accounts = [account('expo', 'expo'), account('fcm', 'fcm')];
    const expo = { id: 'c1', integrationId: 'expo', credentials: { deviceTokens: ['a', 'b'] } };
    const reach = (more: object) => pushTargets(factsOf({ accounts, ...more }));

    it('reaches every stored device, or the tokens of the trigger instead', () => {
      expect(reach({ endpoints: [expo] }).targets).toMatchObject([{ endpoint: { id: 'c1' }, tokens: ['a', 'b'] }]);
      const named = { expo: { deviceTokens: ['x', 'x'] }, fcm: { tokens: 'y' } };
      expect(reach({ endpoints: [expo], overrides: named }).targets.map(({ tokens }) => tokens)).toEqual([
        ['x'],
        ['y'],
      ]);
    });

    it('sends once to the topic that the trigger names, for a provider with topics', () => {
      const overrides = { expo: { topic: 'news' }, providers: { fcm: { topic: 'news', tokens: ['y'] } } };
      const fcm = { id: 'c2', integrationId: 'fcm', credentials: { deviceTokens: ['c', 'd'] } };
      expect(reach({ overrides }).targets.map(({ tokens }) => tokens)).toEqual([['']]);
      expect(reach({ endpoints: [expo, fcm], overrides }).targets.map(({ tokens }) => tokens)).toEqual([
        ['a', 'b'],
        [''],
      ]);
    });

    it('refuses the step without a device token or without a channel', () => {
      const detail = (more: object) => reach(more).refusal!.map((line) => line.detail);
      expect(detail({})).toEqual(['Subscriber does not have a configured channel']);
      expect(detail({ endpoints: [{ ...expo, credentials: {} }] })).toEqual([
        'Subscriber credentials is missing the tokens for sending a push notification message',
        'Some push channels skipped to send the message',
      ]);
      const both = reach({ endpoints: [expo, { integrationId: 'fcm', credentials: {} }] });
      expect([both.targets.length, both.skipped.length, both.refusal]).toEqual([1, 1, undefined]);
    });
  });
});
