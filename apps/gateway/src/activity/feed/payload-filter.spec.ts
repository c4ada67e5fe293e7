import { LIMITS } from '@clarion/contracts';
import { readPayloadFilter } from './payload-filter';

const encode = (text: string, encoding: 'base64' | 'base64url' = 'base64') => Buffer.from(text).toString(encoding);

/** Builds `{"a":{"a":...}}` with this many nested objects. */
const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('readPayloadFilter', () => {
  // The encodings of this text contain + and /, the characters in which the two base64 alphabets differ.
  const text = '{"a":"~~~???>>>"}';

  it.each([
    ['base64', encode(text)],
    ['base64 without padding', encode(text).replaceAll('=', '')],
    ['base64url', encode(text, 'base64url')],
    ['base64 whose + was not percent-encoded', encode(text).replaceAll('+', ' ')],
  ])('reads a payload from %s', (_, encoded) => {
    expect(encode(text)).toContain('+');
    expect(encode(text)).toContain('/');
    expect(readPayloadFilter(encoded)).toEqual({ a: '~~~???>>>' });
  });

  it('reads a payload of exactly the documented depth and size', () => {
    const widest = JSON.stringify({ a: 'x'.repeat(LIMITS.feedPayloadBytes - '{"a":""}'.length) });
    expect(readPayloadFilter(encode(widest))).toEqual(JSON.parse(widest));
    expect(readPayloadFilter(encode(nested(LIMITS.feedPayloadDepth)))).toEqual(JSON.parse(nested(8)));
  });

  it.each([
    ['plain JSON', '{"a":1}'],
    ['base64 with characters outside the alphabet', `${encode('{"a":1}')}!`],
    ['base64 with padding in the middle', 'eyJh=IjoxfQ'],
    ['base64 with too much padding', `${encode('{"ab":1}').replaceAll('=', '')}===`],
    ['base64 that ends in half a byte', encode('{"abc":1}').replaceAll('=', '').slice(0, -2)],
    ['a list', encode('[1]')],
    ['a text', encode('"a"')],
    ['null', encode('null')],
    ['broken JSON', encode('{"a":')],
    ['an object with a NUL character', encode('{"a":"\\u0000"}')],
    ['an object with a lone surrogate', encode('{"a":"\\ud800"}')],
    ['not valid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64')],
    ['an object that is too deep', encode(nested(LIMITS.feedPayloadDepth + 1))],
    ['an object with lists that are too deep', encode(`{"a":${'['.repeat(8)}${']'.repeat(8)}}`)],
    ['an object that is too large', encode(JSON.stringify({ a: 'x'.repeat(LIMITS.feedPayloadBytes) }))],
  ])('rejects a payload that is %s', (_, encoded) => {
    expect(() => readPayloadFilter(encoded)).toThrow(
      'Invalid payload, the JSON object should be encoded to base64 string.',
    );
  });
});
