import type { JsonObject } from '@clarion/contracts';
import { filesOf } from './attachments';

describe('files of a payload', () => {
  const read = (file: string) => {
    const files = filesOf({ attachments: [{ name: 'a', file }] });
    return Array.isArray(files) ? files[0]!.content.toString() : undefined;
  };

  it('are none where there is no list', () => {
    const payloads: JsonObject[] = [{}, { attachments: [] }, { attachments: 'a' }, { attachments: null }];
    for (const payload of payloads) {
      expect(filesOf(payload)).toBeUndefined();
    }
  });

  it.each([
    ['YQ==', 'a'],
    ['YQ', 'a'],
    ['YWI=', 'ab'],
    ['YWJj', 'abc'],
    ['', ''],
    ['YW\r\nJj\n', 'abc'],
    ['fn9-_w', Buffer.from('fn9-_w', 'base64url').toString()],
  ])('are decoded from %j', (file, content) => {
    expect(read(file)).toBe(content);
  });

  it.each(['Y', 'YWJjZ', 'Y?==', '====', 'YQ==YQ==', 'YQ===', 'data:text/plain;base64,YQ==', 'ü', '💥'])(
    'are refused when they are %j',
    (file) => {
      expect(filesOf({ attachments: [{ name: 'a', file }] })).toMatchObject({
        message: 'payload.attachments.0.file must be the content of the file in base64',
      });
    },
  );

  it('are decoded fast however large they are', () => {
    const file = Buffer.alloc(15_000_000, 'x').toString('base64');
    const start = performance.now();
    expect(read(file)).toHaveLength(15_000_000);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
