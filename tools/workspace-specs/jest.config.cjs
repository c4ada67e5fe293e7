module.exports = { preset: '../../jest.preset.cjs', displayName: 'workspace' };
