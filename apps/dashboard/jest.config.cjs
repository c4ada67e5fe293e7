const { isOnPath } = require('../../tools/on-path.cjs');

/**
 * The specs of the pages run in the Chromium of the system. `npm test` runs the journeys and the pages with most logic;
 * `CLARION_TEST_PAGES=all npm test -- apps/dashboard` runs every page.
 */
const OTHER_PAGES = [
  ...['integrations', 'layouts', 'outbox', 'overview', 'promotion', 'settings', 'suppressions', 'topics'],
  ...['translations', 'webhooks'],
];
const leftOut = process.env.CLARION_TEST_PAGES === 'all' ? [] : OTHER_PAGES.map((page) => `/test/${page}\\.spec\\.ts$`);

module.exports = {
  preset: '../../jest.preset.cjs',
  displayName: 'dashboard',
  testPathIgnorePatterns: ['/node_modules/', ...(isOnPath('chromium') ? leftOut : ['/test/'])],
};
