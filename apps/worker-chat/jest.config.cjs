module.exports = { preset: '../../jest.preset.cjs', displayName: 'worker-chat' };
