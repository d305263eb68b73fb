// Two sets: what a change must pass in minutes, and what takes its time over kills and whole runs.
const LONG = ['/tests/chaos/', '\\.long\\.test\\.ts$'];
const isLong = process.env.CO_SCIENTIST_TESTS === 'long';

// Packages that are ES modules, for what is printed on a terminal: Node requires them as they are, jest does not.
const ES_MODULES =
  'string-width|wrap-ansi|cli-truncate|slice-ansi|strip-ansi|ansi-regex|ansi-styles|get-east-asian-width|is-fullwidth-code-point';

/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/tests'],
  ...(isLong
    ? { testRegex: [String.raw`/tests/chaos/.*\.test\.ts$`, LONG[1]] }
    : { testMatch: ['**/*.test.ts'] }),
  testPathIgnorePatterns: isLong ? [] : LONG,
  transform: { '\\.([cm]?ts|js)$': ['@swc/jest', { jsc: { target: 'es2022' } }] },
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES})/)`],
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/tests/stack/plain-output.ts'],
  globalSetup: '<rootDir>/tests/stack/global-setup.ts',
  globalTeardown: '<rootDir>/tests/stack/global-teardown.ts',
  testTimeout: 60_000,
  // Most tests wait for servers: as many files at once as there are cores, not one fewer.
  maxWorkers: '100%',
};
