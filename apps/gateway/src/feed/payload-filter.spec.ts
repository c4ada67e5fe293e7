import { LIMITS } from '@clarion/contracts';
import { readPayloadFilter } from './payload-filter';

const encode = (text: string, encoding: 'base64' | 'base64url' = 'base64') => Buffer.from(text).toString(encoding);

/** `{"a":{"a":...}}` with so many objects. */
const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('the partial payload of a feed request', () => {
  // Chosen so that both alphabets differ: the encodings hold + and /.
  const text = '{"a":"~~~???>>>"}';

  it.each([
    ['base64', encode(text)],
    ['base64 without padding', encode(text).replace(/=+$/, '')],
    ['base64url', encode(text, 'base64url')],
    ['base64 whose + was not percent-encoded', encode(text).replaceAll('+', ' ')],
  ])('is read from %s', (_, encoded) => {
    expect(encode(text)).toMatch(/\+.*\/|\/.*\+/);
    expect(readPayloadFilter(encoded)).toEqual({ a: '~~~???>>>' });
  });

  it('is read up to the depth and size that are documented', () => {
    const widest = JSON.stringify({ a: 'x'.repeat(LIMITS.feedPayloadBytes - '{"a":""}'.length) });
    expect(readPayloadFilter(encode(widest))).toEqual(JSON.parse(widest));
    expect(readPayloadFilter(encode(nested(LIMITS.feedPayloadDepth)))).toEqual(JSON.parse(nested(8)));
  });

  it.each([
    ['plain JSON', '{"a":1}'],
    ['characters outside the alphabet', `${encode('{"a":1}')}!`],
    ['padding in the middle', 'eyJh=IjoxfQ'],
    ['too much padding', `${encode('{"ab":1}').replace(/=+$/, '')}===`],
    ['half a byte', encode('{"abc":1}').replace(/=+$/, '').slice(0, -2)],
    ['a list', encode('[1]')],
    ['a text', encode('"a"')],
    ['null', encode('null')],
    ['broken JSON', encode('{"a":')],
    ['a NUL character', encode('{"a":"\\u0000"}')],
    ['a lone surrogate', encode('{"a":"\\ud800"}')],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64')],
    ['an object that is too deep', encode(nested(LIMITS.feedPayloadDepth + 1))],
    ['lists that are too deep', encode(`{"a":${'['.repeat(8)}${']'.repeat(8)}}`)],
    ['an object that is too large', encode(JSON.stringify({ a: 'x'.repeat(LIMITS.feedPayloadBytes) }))],
  ])('is refused when it is %s', (_, encoded) => {
    expect(() => readPayloadFilter(encoded)).toThrow(
      'Invalid payload, the JSON object should be encoded to base64 string.',
    );
  });
});
