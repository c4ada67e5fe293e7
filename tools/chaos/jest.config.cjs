module.exports = { preset: '../../jest.preset.cjs', displayName: 'chaos' };
