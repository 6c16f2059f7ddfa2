import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/db/client.ts';
import { loginScenes, type Provider, type ScenePurpose, type SceneState } from '../tables.ts';

type NewScene = {
  scene: string;
  kind: Provider;
  bindHash: Buffer;
  channel: string;
  purpose: ScenePurpose;
  sessionId: number | null;
  inviterId: number | null;
  ip: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
};

export const insertScene = (db: Db, scene: NewScene) => db.insert(loginScenes).values(scene);

export const updateSceneQr = (db: Db, scene: string, qrText: string) =>
  db.update(loginScenes).set({ qrText }).where(eq(loginScenes.scene, scene));

export const updateSceneImage = (db: Db, scene: string, image: Buffer) =>
  db.update(loginScenes).set({ image }).where(eq(loginScenes.scene, scene));

const isLive = (scene: string, now: Date) => and(eq(loginScenes.scene, scene), gt(loginScenes.expiresAt, now));

/** Returns a live scene; null when the scene is unknown or expired. */
export async function selectLiveScene(db: Db, scene: string, now: Date) {
  const [row] = await db.select().from(loginScenes).where(isLive(scene, now));
  return row ?? null;
}

/**
 * Moves a scene to another state for the phone that scanned it first. Returns null when the scene is over, of the other
 * kind, no longer in one of the states `from`, or scanned by another phone. The conditional update decides between two
 * calls at once.
 */
export async function updateScene(
  db: Db,
  step: {
    scene: string;
    kind: Provider;
    openid: string;
    from: SceneState[];
    to: SceneState;
    userId: number | null;
    now: Date;
  },
) {
  const { scene, kind, openid, from, to, userId, now } = step;
  const isItsPhone = or(isNull(loginScenes.openid), eq(loginScenes.openid, openid));
  const [row] = await db
    .update(loginScenes)
    .set({ state: to, openid, ...(userId !== null && { userId }) })
    .where(and(isLive(scene, now), eq(loginScenes.kind, kind), inArray(loginScenes.state, from), isItsPhone))
    .returning();
  return row ?? null;
}

/**
 * Marks a confirmed scene as delivered. Returns its user and session to the one caller that changed it, and null to
 * every other.
 */
export async function updateSceneDelivered(db: Db, scene: string, bindHash: Buffer, now: Date) {
  const [row] = await db
    .update(loginScenes)
    .set({ state: 'delivered' })
    .where(and(isLive(scene, now), eq(loginScenes.bindHash, bindHash), eq(loginScenes.state, 'confirmed')))
    .returning({ userId: loginScenes.userId, sessionId: loginScenes.sessionId });
  return row ?? null;
}

export const deleteOldScenes = (db: Db, before: Date) =>
  db.delete(loginScenes).where(lt(loginScenes.expiresAt, before));

/** Deletes the scenes that name a user or one of their openids, and takes the user out of those of people they invited. */
export async function deleteScenes(db: Db, userId: number): Promise<void> {
  await db.update(loginScenes).set({ inviterId: null }).where(eq(loginScenes.inviterId, userId));
  await db
    .delete(loginScenes)
    .where(
      or(
        eq(loginScenes.userId, userId),
        sql`(${loginScenes.kind}, ${loginScenes.openid}) in (select provider, openid from user_identities where user_id = ${userId})`,
      ),
    );
}
