/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.[cm]?tsx?$': ['@swc/jest', { jsc: { target: 'es2022' } }] },
  testEnvironment: 'node',
  testTimeout: 60_000,
};
