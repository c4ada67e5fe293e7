module.exports = { preset: '../../jest.preset.cjs', displayName: 'engine' };
