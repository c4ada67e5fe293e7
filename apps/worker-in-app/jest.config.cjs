module.exports = { preset: '../../jest.preset.cjs', displayName: 'worker-in-app' };
