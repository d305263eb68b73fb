/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  // Kills that are spread over minutes: `npm run test:chaos`.
  testPathIgnorePatterns: process.env.CO_SCIENTIST_TEST_CHAOS ? [] : ['/tests/chaos/'],
  transform: { '^.+\\.[cm]?tsx?$': ['@swc/jest', { jsc: { target: 'es2022' } }] },
  testEnvironment: 'node',
  globalSetup: '<rootDir>/tests/stack/global-setup.ts',
  globalTeardown: '<rootDir>/tests/stack/global-teardown.ts',
  testTimeout: 60_000,
  // Most tests wait for servers: as many files at once as there are cores, not one fewer.
  maxWorkers: '100%',
};
