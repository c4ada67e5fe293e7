import { hideSignedLinks } from './signed-links';

const TOKEN = `${'aB3-_'.repeat(17)}xy`;
const CODE = 'aB3-_x'.repeat(9);

describe('hideSignedLinks', () => {
  it.each([
    `<a href="https://clarion.example/u/${TOKEN}">`,
    `https://clarion.example/t/c/${TOKEN}`,
    `https://clarion.example/t/o/${TOKEN.slice(0, 66)}`,
    `List-Unsubscribe: <https://clarion.example/u/${TOKEN}>`,
    `to=https%3A%2F%2Fclarion.example%2Fu%2F${TOKEN}&x`,
    `to=https%3a%2f%2fclarion.example%2ft%2fc%2f${TOKEN}`,
    JSON.stringify(`https:\\/\\/clarion.example\\/u\\/${TOKEN}`),
    `https://clarion.example/setup/chat/0190c0de-0000-7000-8000-000000000000/${CODE}`,
    `https://slack.example/authorize?a=b&state=${CODE}&c=d`,
    `https://clarion.example/v1/integrations/chat/oauth/start/${CODE}`,
    `https://t.me/bot?start=${CODE}`,
  ])('hides the token of %s', (text) => {
    const shown = hideSignedLinks(text);
    expect(shown).toContain('hidden');
    expect(shown).not.toMatch(/aB3/);
    expect(shown.length).toBe(text.length - (text.includes(CODE) && !text.includes(TOKEN) ? 54 : tokenIn(text)) + 6);
  });
  const tokenIn = (text: string): number => (text.includes(TOKEN) ? TOKEN.length : 66);

  it('hides a state with the hash of a browser', () => {
    expect(hideSignedLinks(`?state=${CODE}${'x'.repeat(43)}&a=b`)).toBe('?state=hidden&a=b');
  });

  it.each(['https://shop.example/u/short', `https://shop.example/v/${TOKEN}`, `?state=${CODE}longer`, 'plain text'])(
    'keeps %s',
    (text) => expect(hideSignedLinks(text)).toBe(text),
  );
});
