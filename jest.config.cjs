/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.[cm]?tsx?$': ['@swc/jest', { jsc: { target: 'es2022' } }] },
  testEnvironment: 'node',
  globalSetup: '<rootDir>/tests/stack/global-setup.ts',
  globalTeardown: '<rootDir>/tests/stack/global-teardown.ts',
  testTimeout: 60_000,
  // Most tests wait for servers: as many files at once as there are cores, not one fewer.
  maxWorkers: '100%',
};
