/*
 * A question and the parts of its right answer, with ' for ". They were worked
 * out by hand; the digests are those that sha256sum gives.
 */
#ifndef ORACLE_TESTS_ANSWERS_H
#define ORACLE_TESTS_ANSWERS_H

static const char question[] =
    "{'name':'t','tasks':[{'task_id':1,'func_id':4,'core_type':'aiv',"
    "'name':'fill','args':['x',8],'arg_directions':['Output','Scalar'],"
    "'arg_storage_keys':['alloc:a',null]},{'task_id':2,'func_id':0,"
    "'core_type':'aic','name':'mul','args':['x','y',1.0],"
    "'arg_directions':['Input','Output','Input'],"
    "'arg_storage_keys':['alloc:a','alloc:b','param:w']},{'task_id':3,"
    "'func_id':4,'core_type':'aiv','name':'fill','args':['x'],"
    "'arg_directions':['InOut'],'arg_storage_keys':['alloc:a']},{'task_id':5,"
    "'func_id':7,'core_type':'mixed','args':['y','z'],"
    "'arg_directions':['Input','Output'],'arg_storage_keys':['alloc:b',"
    "'param:z']}],'shape_assumptions':[{'symbol':'w','dims':[4]}],"
    "'metadata':{'by':'hand'}}";

static const char options[] =
    "{'emit':'graph,score,handle,hbg,memory,alias,liveness,conflicts',"
    "'encodings':1,'memory':'greedy_v0','policy':'dataflow_v0',"
    "'sizes':{'alloc:a':64,'alloc:b':32,'param:z':16}}";

static const char score[] =
    "{'dependencies':[{'consumer':2,'kind':'data','producer':1},{'consumer':3,"
    "'kind':'data','producer':1},{'consumer':3,'kind':'war','producer':2},"
    "{'consumer':5,'kind':'data','producer':2}],'metadata':{'by':'hand',"
    "'dependency_policy':'dataflow_v0'},'name':'t',"
    "'runtime_target':{'aicpu_thread_num':null,'config_comment':[],"
    "'function_name':'aicpu_orchestration_entry',"
    "'runtime':'tensormap_and_ringbuffer'},'schema_version':1,"
    "'shape_assumptions':[{'dims':[4],'symbol':'w'}],"
    "'tasks':[{'arg_directions':['Output','Scalar'],"
    "'arg_storage_keys':['alloc:a',null],'args':['x',8],'core_type':'aiv',"
    "'func_id':4,'name':'fill','task_id':1},{'arg_directions':['Input',"
    "'Output','Input'],'arg_storage_keys':['alloc:a','alloc:b','param:w'],"
    "'args':['x','y',1.0],'core_type':'aic','func_id':0,'name':'mul',"
    "'task_id':2},{'arg_directions':['InOut'],'arg_storage_keys':['alloc:a'],"
    "'args':['x'],'core_type':'aiv','func_id':4,'name':'fill','task_id':3},"
    "{'arg_directions':['Input','Output'],'arg_storage_keys':['alloc:b',"
    "'param:z'],'args':['y','z'],'core_type':'mixed','func_id':7,'name':null,"
    "'task_id':5}]}";

static const char graph[] =
    "{'buffers':[{'bytes':64,'external':false,'key':'alloc:a'},{'bytes':32,"
    "'external':false,'key':'alloc:b'},{'bytes':null,'external':true,"
    "'key':'param:w'},{'bytes':16,'external':true,'key':'param:z'}],"
    "'edges':[{'certain':true,'from':1,'kind':'data','source':'policy','to':2},"
    "{'certain':true,'from':1,'kind':'data','source':'policy','to':3},"
    "{'certain':true,'from':2,'kind':'war','source':'policy','to':3},"
    "{'certain':true,'from':2,'kind':'data','source':'policy','to':5}],"
    "'kind':'task_graph','name':'t','rules':'none','tasks':[{'args':[{'access':"
    "[{'exact':true,'mode':'write','must':true}],'buffer':'alloc:a',"
    "'dispatch':'output'},{'scalar':{'text':'8'}}],'core':'aiv','id':1,"
    "'name':'fill'},{'args':[{'access':[{'exact':true,'mode':'read',"
    "'must':true}],'buffer':'alloc:a','dispatch':'input'},{'access':[{"
    "'exact':true,'mode':'write','must':true}],'buffer':'alloc:b',"
    "'dispatch':'output'},{'access':[{'exact':true,'mode':'read',"
    "'must':true}],'buffer':'param:w','dispatch':'input'}],'core':'aic','id':2,"
    "'name':'mul'},{'args':[{'access':[{'exact':true,'mode':'inout',"
    "'must':true}],'buffer':'alloc:a','dispatch':'inout'}],'core':'aiv','id':3,"
    "'name':'fill'},{'args':[{'access':[{'exact':true,'mode':'read',"
    "'must':true}],'buffer':'alloc:b','dispatch':'input'},{'access':[{"
    "'exact':true,'mode':'write','must':true}],'buffer':'param:z',"
    "'dispatch':'output'}],'core':'mixed','id':5}],'version':1}";

static const char handle[] =
    "{'arg_bindings':[{'arg_index':0,'direction':'Output','runtime_handle':0,"
    "'storage_key':'alloc:a','task_id':1},{'arg_index':1,'direction':'Scalar',"
    "'runtime_handle':1,'storage_key':null,'task_id':1},{'arg_index':0,"
    "'direction':'Input','runtime_handle':0,'storage_key':'alloc:a',"
    "'task_id':2},{'arg_index':1,'direction':'Output','runtime_handle':1,"
    "'storage_key':'alloc:b','task_id':2},{'arg_index':2,'direction':'Input',"
    "'runtime_handle':2,'storage_key':'param:w','task_id':2},{'arg_index':0,"
    "'direction':'InOut','runtime_handle':0,'storage_key':'alloc:a',"
    "'task_id':3},{'arg_index':0,'direction':'Input','runtime_handle':0,"
    "'storage_key':'alloc:b','task_id':5},{'arg_index':1,'direction':'Output',"
    "'runtime_handle':1,'storage_key':'param:z','task_id':5}],"
    "'func_registry':[{'name':'fill','runtime_func_id':null,"
    "'sonata_func_id':4},{'name':'mul','runtime_func_id':null,"
    "'sonata_func_id':0}],'metadata':{},'runtime_contract_version':1,"
    "'runtime_target':{'aicpu_thread_num':null,'config_comment':[],"
    "'function_name':'aicpu_orchestration_entry',"
    "'runtime':'tensormap_and_ringbuffer'},'schema_version':1,"
    "'score_fingerprint':'3627d02dcd8d56a7b9016400d6878231857ac9c586e0a9a84e9e"
    "744fb6e7e414','source_adapter':'post_simplify'}";

static const char hbg[] =
    "{'edges':[{'consumer':2,'producer':1},{'consumer':3,'producer':1},"
    "{'consumer':3,'producer':2},{'consumer':5,'producer':2}],"
    "'metadata':{'runtime_contract_version':1,"
    "'runtime_target':'tensormap_and_ringbuffer','schema_version':1,"
    "'score_fingerprint':'3627d02dcd8d56a7b9016400d6878231857ac9c586e0a9a84e9e"
    "744fb6e7e414','source_adapter':'post_simplify'},"
    "'tasks':[{'core_type':'aiv','func_id':4,'name':'fill','runtime_args':[0,"
    "1],'task_id':1},{'core_type':'aic','func_id':0,'name':'mul',"
    "'runtime_args':[0,1,2],'task_id':2},{'core_type':'aiv','func_id':4,"
    "'name':'fill','runtime_args':[0],'task_id':3},{'core_type':'mixed',"
    "'func_id':7,'name':null,'runtime_args':[0,1],'task_id':5}]}";

static const char memory[] =
    "{'allocations':[{'offset':0,'size':64,'storage_key':'alloc:a'},"
    "{'offset':64,'size':32,'storage_key':'alloc:b'},{'offset':0,'size':0,"
    "'storage_key':'param:w'},{'offset':0,'size':16,'storage_key':'param:z'}],"
    "'kind':'memory_plan','peak_memory':96,'policy':'greedy_v0','version':1}";

static const char alias[] =
    "{'kind':'alias','pairs':[{'first':'alloc:a','relation':'disjoint',"
    "'second':'alloc:b'},{'first':'alloc:a','relation':'disjoint',"
    "'second':'param:w'},{'first':'alloc:a','relation':'disjoint',"
    "'second':'param:z'},{'first':'alloc:b','relation':'disjoint',"
    "'second':'param:w'},{'first':'alloc:b','relation':'disjoint',"
    "'second':'param:z'},{'first':'param:w','relation':'disjoint',"
    "'second':'param:z'}],'version':1}";

static const char liveness[] =
    "{'kind':'liveness','lifetimes':[{'birth':1,'death':3,"
    "'storage_key':'alloc:a'},{'birth':2,'death':5,'storage_key':'alloc:b'},"
    "{'birth':2,'death':2,'storage_key':'param:w'},{'birth':5,'death':5,"
    "'storage_key':'param:z'}],'version':1}";

static const char conflicts[] =
    "{'kind':'conflicts','overlap':'inclusive','pairs':[{'earlier':'alloc:a',"
    "'later':'alloc:b'},{'earlier':'alloc:a','later':'param:w'},"
    "{'earlier':'alloc:b','later':'param:w'},{'earlier':'alloc:b',"
    "'later':'param:z'}],'version':1}";

static const char encodings[] =
    "{'compact_sha256':'36c2ccaf487484727a609efae9344709bb96312a570bea13fa7693"
    "2adcc2ca3f',"
    "'fingerprint':'3627d02dcd8d56a7b9016400d6878231857ac9c586e0a9a84e9e744fb6"
    "e7e414',"
    "'fingerprint_with_metadata':'0bef86348377db3cfd3a1252696b266d2aee49cc04b2"
    "69d6084f70d61de2c98a',"
    "'pretty_sha256':'a0491de09f6ffb0d0ee9514ce1e5f45c119cf2a29632b4f1f83ac123"
    "c0126386'}";

#endif
