import type { JsonObject } from '@clarion/contracts';
import { filesOf } from './attachments';

describe('filesOf', () => {
  const read = (file: string) => {
    const files = filesOf({ attachments: [{ name: 'a', file }] });
    return Array.isArray(files) ? files[0]!.content.toString() : undefined;
  };

  it('returns no files when attachments is not a list', () => {
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
  ])('decodes %j', (file, content) => {
    expect(read(file)).toBe(content);
  });

  it.each(['Y', 'YWJjZ', 'Y?==', '====', 'YQ==YQ==', 'YQ===', 'data:text/plain;base64,YQ==', 'ü', '💥'])(
    'rejects the file %j',
    (file) => {
      expect(filesOf({ attachments: [{ name: 'a', file }] })).toMatchObject({
        message: 'payload.attachments.0.file must be the content of the file in base64',
      });
    },
  );

  it('decodes large files', () => {
    const file = Buffer.alloc(15_000_000, 'x').toString('base64');
    expect(read(file)).toHaveLength(15_000_000);
  });
});
