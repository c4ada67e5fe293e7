import fc from 'fast-check';
import { CHANNELS, type StoredPreference, type WorkflowPreferences } from '@clarion/contracts';
import {
  channelDecision,
  effectivePreferences,
  isCritical,
  preferenceDetail,
  type PreferenceLayers,
  subscriberPreferences,
} from './preferences';

describe('channelDecision', () => {
  const choice = fc.option(fc.record({ enabled: fc.boolean() }, { requiredKeys: [] }), { nil: undefined });
  const readOnly = fc.option(fc.boolean(), { nil: undefined });
  const layer = fc.option(
    fc.record({
      all: fc.record({ enabled: fc.option(fc.boolean(), { nil: undefined }), readOnly }, { requiredKeys: [] }),
      channels: fc.record(Object.fromEntries(CHANNELS.map((channel) => [channel, choice])), { requiredKeys: [] }),
    }),
  );

  it('decides like effectivePreferences for every channel and all layers', () => {
    fc.assert(
      fc.property(layer, layer, layer, layer, (user, workflow, subscriberGlobal, subscriberWorkflow) => {
        const layers = { workflow: { user, workflow }, subscriberGlobal, subscriberWorkflow } as PreferenceLayers;
        const { channels } = effectivePreferences(layers);
        for (const channel of CHANNELS) expect(channelDecision(layers, channel)).toEqual(channels[channel]);
      }),
    );
  });
});

describe('effectivePreferences', () => {
  const off = { enabled: false };
  const on = { enabled: true };

  it('enables all channels without any preference', () => {
    const everyone = { subscriberGlobal: null, subscriberWorkflow: null, workflow: { user: null, workflow: null } };
    for (const layers of [{ workflow: {} }, everyone]) {
      expect(effectivePreferences(layers)).toEqual({
        critical: false,
        all: true,
        channels: Object.fromEntries(CHANNELS.map((channel) => [channel, { enabled: true, decidedBy: 'default' }])),
      });
    }
  });

  it('lets each layer override the layers below it, channel by channel', () => {
    const { channels } = effectivePreferences({
      workflow: {
        workflow: { channels: { in_app: off, email: off, sms: off, chat: off } },
        user: { channels: { email: on, sms: on, chat: on } },
      },
      subscriberGlobal: { channels: { sms: off, chat: off } },
      subscriberWorkflow: { channels: { chat: on } },
    });
    expect(channels).toEqual({
      in_app: { enabled: false, decidedBy: 'workflow_resource' },
      email: { enabled: true, decidedBy: 'workflow_user' },
      sms: { enabled: false, decidedBy: 'subscriber_global' },
      chat: { enabled: true, decidedBy: 'subscriber_workflow' },
      push: { enabled: true, decidedBy: 'default' },
    });
  });

  it('gives a channel that no layer names the topmost value of `all`', () => {
    const preferences = effectivePreferences({
      workflow: { workflow: { all: off, channels: { email: on } }, user: { all: { readOnly: false } } },
      subscriberWorkflow: { channels: { push: on } },
    });
    expect(preferences.all).toBe(false);
    expect(preferences.channels).toMatchObject({
      email: { enabled: true, decidedBy: 'workflow_resource' },
      push: { enabled: true, decidedBy: 'subscriber_workflow' },
      sms: { enabled: false, decidedBy: 'workflow_resource' },
    });
    const overruled = effectivePreferences({ workflow: { workflow: { all: off }, user: { all: on } } });
    expect(overruled).toMatchObject({ all: true, channels: { sms: { enabled: true, decidedBy: 'workflow_user' } } });
  });

  it.each<[string, WorkflowPreferences]>([
    ['the workflow', { workflow: { all: { readOnly: true } } }],
    ['the operator', { user: { all: { readOnly: true } } }],
    ['one of both', { user: { all: { readOnly: true } }, workflow: { all: { readOnly: false } } }],
  ])('ignores the subscriber when %s makes the workflow critical', (_, workflow) => {
    const preferences = effectivePreferences({
      workflow: { ...workflow, workflow: { ...workflow.workflow, channels: { sms: off } } },
      subscriberGlobal: { all: off, channels: { email: off } },
      subscriberWorkflow: { channels: { push: off, sms: on } },
    });
    expect(preferences).toMatchObject({
      critical: true,
      all: true,
      channels: {
        email: { enabled: true, decidedBy: 'default' },
        push: { enabled: true, decidedBy: 'default' },
        sms: { enabled: false, decidedBy: 'workflow_resource' },
      },
    });
    expect(isCritical(workflow)).toBe(true);
  });

  it.each([
    ['subscriber_workflow', 'Step filtered by subscriber workflow preferences'],
    ['subscriber_global', 'Step filtered by subscriber global preferences'],
    ['workflow_resource', 'Step filtered by workflow preferences'],
    ['workflow_user', 'Step filtered by user preferences'],
  ] as const)('records that the layer %s decided', (decidedBy, detail) => {
    expect(preferenceDetail(decidedBy)).toEqual({ status: 'Success', detail });
  });
});

describe('subscriberPreferences', () => {
  const on = { enabled: true };
  const off = { enabled: false };
  const row = (given: Partial<StoredPreference>): StoredPreference => ({
    workflowId: null,
    contextKey: '',
    preferences: {},
    schedule: null,
    ...given,
  });
  const week = { isEnabled: true, weeklySchedule: {} };
  const stored = [
    row({ contextKey: 'region:eu,team:a', preferences: { channels: { email: on } } }),
    row({ preferences: { channels: { email: off, sms: off } }, schedule: week }),
    row({ contextKey: 'team:a', preferences: { channels: { push: off } }, schedule: { isEnabled: false } }),
    row({ workflowId: 'one', preferences: { channels: { chat: off } } }),
    row({ workflowId: 'two', preferences: { channels: { in_app: off } } }),
  ];

  it('selects the global preference and that of the workflow without a context', () => {
    expect(subscriberPreferences(stored, 'one')).toMatchObject({
      subscriberGlobal: { channels: { email: off, sms: off } },
      subscriberWorkflow: { channels: { chat: off } },
      schedule: week,
    });
    const other = subscriberPreferences(stored, 'three');
    expect(other).toMatchObject({ subscriberGlobal: { channels: { email: off } } });
    expect(other).not.toHaveProperty('subscriberWorkflow');
    expect(subscriberPreferences([], 'one')).toEqual({});
  });

  it('prefers a preference for exactly these contexts, in any order', () => {
    const inBoth = subscriberPreferences(stored, 'one', ['team:a', 'region:eu']);
    expect(inBoth.subscriberGlobal?.channels).toEqual({ email: on, sms: off });
    expect(inBoth.schedule).toEqual(week);
    const inTeam = subscriberPreferences(stored, 'one', ['team:a']);
    expect(inTeam.subscriberGlobal?.channels).toEqual({ email: off, sms: off, push: off });
    expect(inTeam.schedule).toEqual({ isEnabled: false });
    expect(subscriberPreferences(stored, 'one', ['team:b'])).toEqual(subscriberPreferences(stored, 'one'));
  });
});
