//! A client that openapi-generator made of the document, as its own guide uses it. It shows no headers.

use openapi::apis::configuration::Configuration;
use openapi::apis::additions_api::{export_people, get_changes, get_developers, get_usage};
use openapi::apis::developers_api::{
    get_developer, search_developers, GetDeveloperError, SearchDevelopersError,
};
use openapi::apis::Error;
use openapi::models::{search_request::Sort, BatchRequest, ErrorEnvelope, GetDeveloper200Response, SearchRequest};
use serde_json::{json, to_value, Map, Value};
use std::env::var;

fn open(key: &str) -> Configuration {
    Configuration {
        base_path: var("ROSTER_URL").expect("ROSTER_URL is set"),
        bearer_access_token: Some(key.to_owned()),
        ..Configuration::default()
    }
}

fn search(location: &str) -> SearchRequest {
    SearchRequest::new(location.to_owned())
}

/// The first type that fits is the one of status 400, whatever the status: they are all alike.
fn refusal_of(call: Result<GetDeveloper200Response, Error<GetDeveloperError>>) -> (Map<String, Value>, ErrorEnvelope) {
    match call.expect_err("This call must be refused.") {
        Error::ResponseError(refusal) => match refusal.entity {
            Some(GetDeveloperError::Status400(envelope)) => (tell(refusal.status.as_u16(), &envelope), envelope),
            other => panic!("not the type that was promised: {other:?}"),
        },
        other => panic!("no answer: {other}"),
    }
}

fn tell(status: u16, envelope: &ErrorEnvelope) -> Map<String, Value> {
    assert!(!envelope.success);
    let code = to_value(envelope.error.code).expect("a code is a text");
    Map::from_iter([("status".to_owned(), json!(status)), ("code".to_owned(), code)])
}

/// What the additions to the API answered.
async fn add(client: &Configuration) -> Value {
    let sorting = SearchRequest {
        company: Some("example".to_owned()),
        max_experience_years: Some(50.0),
        sort: Some(Sort::Experience),
        ..search("Germany")
    };
    let sorted = search_developers(client, sorting).await.expect("an answer").data;
    let logins = vec!["ada-example".to_owned(), "nobody-here".to_owned()];
    let batch = get_developers(client, BatchRequest::new(logins)).await.expect("an answer").data;
    let changes = get_changes(client, None, Some(1)).await.expect("an answer").data;
    let usage = get_usage(client).await.expect("an answer").data;
    let admin = open(&var("ROSTER_ADMIN_KEY").expect("ROSTER_ADMIN_KEY is set"));
    let exported = export_people(&admin, None, None).await.expect("an answer");
    let lines = exported.text().await.expect("a body");
    json!({
        "veteran": sorted.results[0].login,
        "logins": batch.users.iter().map(|user| &user.username).collect::<Vec<_>>(),
        "missing": batch.missing,
        "calls": batch.calls,
        "change": changes.changes[0].change,
        "hasNext": changes.next.is_some(),
        "plan": usage.plan,
        "used": usage.month.used,
        "exported": lines.lines().next(),
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let client = open(&var("ROSTER_KEY").expect("ROSTER_KEY is set"));
    let spent = open(&var("ROSTER_SPENT_KEY").expect("ROSTER_SPENT_KEY is set"));

    let backend = SearchRequest { role: Some("backend".to_owned()), ..search("Berlin") };
    let found = search_developers(&client, backend).await.expect("an answer");
    assert!(found.success);
    let too_many = SearchRequest { max_results: Some(500), ..search("Berlin") };
    let refused = match search_developers(&client, too_many).await {
        Err(Error::ResponseError(refusal)) => match refusal.entity {
            Some(SearchDevelopersError::Status400(envelope)) => tell(refusal.status.as_u16(), &envelope),
            other => panic!("not the type that was promised: {other:?}"),
        },
        other => panic!("not refused: {other:?}"),
    };
    let (unknown, _) = refusal_of(get_developer(&open("rst_nobody"), "ada-example").await);
    let (mut missing, counted) = refusal_of(get_developer(&client, "nobody-here").await);
    get_developer(&spent, "ada-example").await.expect("an answer");
    let (mut over, told) = refusal_of(get_developer(&spent, "ada-example").await);

    let added = add(&client).await;
    missing.insert("used".to_owned(), json!(counted.meta.quota.map(|quota| quota.used)));
    over.insert("quota".to_owned(), json!(told.meta.quota));
    let first = &found.data.results[0];
    let answered = json!({
        "status": 200,
        "total": found.data.total_count,
        "login": first.login,
        "lastActive": first.last_active_date,
        "experience": first.github_experience,
        "repository": first.top_repositories[0].name,
        "quota": found.meta.quota,
    });
    println!(
        "{}",
        json!({ "answered": answered, "added": added, "refused": refused, "unknown": unknown, "missing": missing, "over": over })
    );
}
