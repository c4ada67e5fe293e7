module.exports = { preset: '../../jest.preset.cjs', displayName: 'lint-rules' };
