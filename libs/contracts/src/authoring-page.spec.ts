import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authoringPage } from './authoring-page';

const page = join(__dirname, '../../../docs/authoring.md');

describe('the reference for authors', () => {
  it('matches docs/authoring.md, which `npm run authoring` writes', () => {
    const present = readFileSync(page, 'utf8');
    expect(present).toBe(authoringPage(present));
  });
});
