import type { NativeConnection } from '@temporalio/worker';

/** Whether a namespace knows a custom search attribute; false where the server will not say. */
export async function hasSearchAttribute(
  connection: NativeConnection,
  namespace: string,
  name: string,
): Promise<boolean> {
  try {
    const answer = await connection.operatorService.listSearchAttributes({ namespace });
    return Object.hasOwn(answer.customAttributes ?? {}, name);
  } catch {
    return false;
  }
}
