import type { Json } from '@clarion/contracts';
import { composePush, composeText } from './texts';

const EMPTY = { ok: false, fault: { path: 'body', message: 'is empty' } };

describe('composeText', () => {
  it('returns the body as the content', () => {
    expect(composeText({ body: ' Hi & <b> ' })).toEqual({ ok: true, content: ' Hi & <b> ' });
  });

  it.each<Json>(['', ' \n', null, 7])('rejects the body %j', (body) => {
    expect(composeText({ body })).toEqual(EMPTY);
  });
});

describe('composePush', () => {
  it('returns title, body and data', () => {
    expect(composePush({ subject: 'S', body: 'B', data: { a: 1 } })).toEqual({
      ok: true,
      title: 'S',
      body: 'B',
      data: { a: 1 },
    });
    expect(composePush({ body: 'B', data: 'x' })).toEqual({ ok: true, title: '', body: 'B' });
  });

  it('rejects an empty body', () => {
    expect(composePush({ subject: 'S', body: '  ' })).toEqual(EMPTY);
  });
});
