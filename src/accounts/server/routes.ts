import type { Routes } from '../../platform/http/api.ts';
import { usernameLogin, webLogout } from '../contract.ts';
import { loginByUsername } from './login-by-username.ts';
import { logout } from './logout.ts';

export function accountsRoutes(routes: Routes): void {
  routes.on(usernameLogin, loginByUsername);
  routes.on(webLogout, logout);
}
