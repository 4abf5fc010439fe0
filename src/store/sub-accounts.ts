export interface SubAccountRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly status: "active" | "disabled";
  readonly device_count: number;
  readonly last_login_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}
