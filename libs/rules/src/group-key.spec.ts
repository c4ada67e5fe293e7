import type { Json } from '@clarion/contracts';
import { groupKeyOf } from './group-key';

const variables = {
  payload: {
    order: 42,
    user: { id: 'u1' },
    list: [1, { b: 1, a: 2 }],
    empty: '',
    nothing: null,
    long: 'x'.repeat(257),
  },
  subscriber: { subscriberId: 's1' },
};

describe('groupKeyOf', () => {
  it.each([undefined, null, '', '  '])('uses the common key for the control %j', (raw) => {
    expect(groupKeyOf(raw, raw, variables)).toEqual({ key: 'No-Value-Provided' });
  });

  it.each<[string, string]>([
    ['order', '42'],
    ['payload.order', '42'],
    ['user.id', 'u1'],
    ['list[1]', '{"a":2,"b":1}'],
    ['empty', ''],
    ['nothing', 'null'],
    ['subscriber.subscriberId', 's1'],
  ])('reads the path %s as the key %j', (raw, key) => {
    expect(groupKeyOf(raw, raw, variables)).toEqual({ key, keyName: raw });
  });

  it.each(['gone', 'payload.gone', 'order.id', 'constructor', 'user.__proto__'])(
    'reports the path %s as missing',
    (raw) => {
      expect(groupKeyOf(raw, raw, variables)).toEqual({ missing: raw });
    },
  );

  it('uses the text of a template as the key, also when it is the name of a variable', () => {
    expect(groupKeyOf('{{payload.order}}', '42', variables)).toEqual({ key: '42', keyName: '{{payload.order}}' });
    expect(groupKeyOf('{{payload.kind}}', 'order', variables)).toEqual({ key: 'order', keyName: '{{payload.kind}}' });
    expect(groupKeyOf('{% if a %}x{% endif %}', 'x', variables)).toMatchObject({ key: 'x' });
  });

  it.each<Json | undefined>(['', ' ', undefined, null])(
    'reports a template that renders to %j as missing',
    (rendered) => {
      expect(groupKeyOf('{{payload.gone}}', rendered, variables)).toEqual({ missing: '{{payload.gone}}' });
    },
  );

  it('uses the hash of a long value', () => {
    const long = groupKeyOf('long', 'long', variables);
    expect(long).toEqual({ key: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string, keyName: 'long' });
    const other = groupKeyOf('long', 'long', { ...variables, payload: { long: 'y'.repeat(257) } });
    expect(other).not.toEqual(long);
    expect(groupKeyOf('long', 'long', { ...variables, payload: { long: 'x'.repeat(256) } })).toMatchObject({
      key: 'x'.repeat(256),
    });
  });
});
