module.exports = { preset: '../../jest.preset.cjs', displayName: 'worker-email' };
